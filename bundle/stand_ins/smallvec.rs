// Stand-in for the part of the crate smallvec 1 that src/ uses: a vector that keeps its first items
// inside itself. Items are Copy, so that it needs no drop.
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

pub trait Array {
    type Item: Copy;
    const SIZE: usize;
}

impl<T: Copy, const SIZE: usize> Array for [T; SIZE] {
    type Item = T;
    const SIZE: usize = SIZE;
}

pub struct SmallVec<A: Array> {
    inside: MaybeUninit<A>,
    len: usize,
    // Holds all items, and `inside` none, once there are more than SIZE.
    heap: Vec<A::Item>,
}

impl<A: Array> SmallVec<A> {
    #[inline(always)]
    pub fn new() -> Self {
        SmallVec {
            inside: MaybeUninit::uninit(),
            len: 0,
            heap: Vec::new(),
        }
    }

    #[inline(always)]
    pub fn push(&mut self, item: A::Item) {
        if self.len < A::SIZE {
            // SAFETY: A is an array of SIZE items, and len is below SIZE.
            unsafe {
                (self.inside.as_mut_ptr() as *mut A::Item)
                    .add(self.len)
                    .write(item)
            };
        } else {
            if self.len == A::SIZE {
                self.heap = self.to_vec();
            }
            self.heap.push(item);
        }
        self.len += 1;
    }
}

impl<A: Array> Deref for SmallVec<A> {
    type Target = [A::Item];

    #[inline(always)]
    fn deref(&self) -> &[A::Item] {
        if self.len > A::SIZE {
            return &self.heap;
        }
        // SAFETY: the first len items of the array have been written.
        unsafe { std::slice::from_raw_parts(self.inside.as_ptr() as *const A::Item, self.len) }
    }
}

impl<A: Array> DerefMut for SmallVec<A> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [A::Item] {
        if self.len > A::SIZE {
            return &mut self.heap;
        }
        // SAFETY: the first len items of the array have been written.
        unsafe {
            std::slice::from_raw_parts_mut(self.inside.as_mut_ptr() as *mut A::Item, self.len)
        }
    }
}

impl<A: Array> Default for SmallVec<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Array> FromIterator<A::Item> for SmallVec<A> {
    #[inline(always)]
    fn from_iter<I: IntoIterator<Item = A::Item>>(items: I) -> Self {
        let mut all = Self::new();
        items.into_iter().for_each(|item| all.push(item));
        all
    }
}
