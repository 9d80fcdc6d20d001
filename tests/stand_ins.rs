//! The stand-ins in bundle/ against the crates that they stand for: the same random streams, and
//! vectors that behave the same below, at and beyond their inline size. It covers what src/ uses;
//! that the bundle compiles at all is tests/bundle.rs's business.

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use smallvec::SmallVec;

/// The stand-ins, side by side as in the bundle.
#[allow(dead_code)]
#[path = "../bundle/stand_ins"]
mod stand_ins {
    pub mod rand;
    pub mod rand_xoshiro;
    pub mod smallvec;
}

type CrateRng = rand_xoshiro::Xoshiro256PlusPlus;
type StandInRng = stand_ins::rand_xoshiro::Xoshiro256PlusPlus;

/// Inline sizes as small as possible, so that every length around them is cheap to try.
const INLINE: usize = 4;
type CrateVec = SmallVec<[u16; INLINE]>;
type StandInVec = stand_ins::smallvec::SmallVec<[u16; INLINE]>;

/// The first `count` outputs of both generators for a seed.
fn streams(seed: u64, count: usize) -> (Vec<u64>, Vec<u64>) {
    use stand_ins::rand::{Rng as _, SeedableRng as _};
    let mut theirs = <CrateRng as SeedableRng>::seed_from_u64(seed);
    let mut ours = StandInRng::seed_from_u64(seed);
    (
        (0..count).map(|_| Rng::next_u64(&mut theirs)).collect(),
        (0..count).map(|_| ours.next_u64()).collect(),
    )
}

#[test]
fn streams_of_notable_seeds_are_equal() {
    const OUTPUTS: usize = 10_000;
    for seed in [
        0,
        1,
        2,
        u64::MAX,
        u64::MAX - 1,
        1 << 63,
        0x9e37_79b9_7f4a_7c15,
    ] {
        let (theirs, ours) = streams(seed, OUTPUTS);
        assert!(theirs == ours, "the streams of seed {seed} differ");
    }
}

/// If both were wrong in the same way, the tests above would not see it.
#[test]
fn the_stream_of_seed_0_is_the_published_one() {
    // The first four outputs of SplitMix64 from 0 (known from Vigna's reference code) make the
    // state; the first output of xoshiro256++ follows from the first and the last word of it.
    let state = [
        0xe220_a839_7b1d_cdaf_u64,
        0x6e78_9e6a_a1b9_65f4,
        0x06c4_5d18_8009_454f,
        0xf88b_b8a8_724c_81ec,
    ];
    let first = state[0]
        .wrapping_add(state[3])
        .rotate_left(23)
        .wrapping_add(state[0]);
    let (theirs, ours) = streams(0, 1);
    assert_eq!((theirs[0], ours[0]), (first, first));
}

#[test]
fn a_clone_goes_on_with_the_same_stream() {
    use stand_ins::rand::{Rng as _, SeedableRng as _};
    let mut rng = StandInRng::seed_from_u64(7);
    for _ in 0..100 {
        rng.next_u64();
    }
    let mut copy = rng.clone();
    assert!((0..100).all(|_| rng.next_u64() == copy.next_u64()));
}

#[test]
fn a_vector_of_every_length_equals_the_crate_s() {
    let (mut theirs, mut ours) = (CrateVec::new(), StandInVec::new());
    for item in 0..3 * INLINE as u16 {
        assert_eq!(*ours, *theirs, "before item {item}");
        let collected: StandInVec = (0..item).collect();
        assert_eq!(*collected, *theirs, "collected {item} items");
        theirs.push(item);
        ours.push(item);
        // Writing through DerefMut must reach both homes of the items.
        *theirs.last_mut().unwrap() = !item;
        *ours.last_mut().unwrap() = !item;
        assert_eq!(*ours, *theirs, "after writing {item}");
        *theirs.last_mut().unwrap() = item;
        *ours.last_mut().unwrap() = item;
    }
    assert_eq!(*ours, *theirs);
    assert_eq!(ours.len(), 3 * INLINE);
}

#[test]
fn default_vectors_are_empty() {
    let (theirs, ours) = (CrateVec::default(), StandInVec::default());
    assert!(theirs.is_empty() && ours.is_empty());
    let nested: [StandInVec; 2] = Default::default();
    assert!(nested.iter().all(|items| items.is_empty()));
}

/// What src/ does to a vector.
#[derive(Clone, Debug)]
enum Step {
    Push(u16),
    /// Writes through DerefMut, at this place modulo the length.
    Set(usize, u16),
    Reverse,
    Sort,
    Swap(usize, usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => any::<u16>().prop_map(Step::Push),
        1 => (any::<usize>(), any::<u16>()).prop_map(|(at, item)| Step::Set(at, item)),
        1 => Just(Step::Reverse),
        1 => Just(Step::Sort),
        1 => (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Step::Swap(a, b)),
    ];
    prop::collection::vec(step, 0..4 * INLINE)
}

/// Changes the items in place; pushing is for those who own the vector.
fn apply(items: &mut [u16], step: &Step) {
    let length = items.len().max(1);
    match *step {
        Step::Push(_) => {}
        Step::Set(at, item) => items
            .iter_mut()
            .skip(at % length)
            .take(1)
            .for_each(|i| *i = item),
        Step::Reverse => items.reverse(),
        Step::Sort => items.sort_unstable(),
        Step::Swap(a, b) if !items.is_empty() => items.swap(a % length, b % length),
        Step::Swap(..) => {}
    }
}

proptest! {
    #[test]
    fn streams_of_any_seed_are_equal(seed in any::<u64>()) {
        let (theirs, ours) = streams(seed, 1000);
        prop_assert_eq!(theirs, ours);
    }

    #[test]
    fn vectors_go_through_the_same_contents(steps in steps()) {
        let (mut theirs, mut ours) = (CrateVec::new(), StandInVec::new());
        for step in &steps {
            if let Step::Push(item) = *step {
                theirs.push(item);
                ours.push(item);
            }
            apply(&mut theirs, step);
            apply(&mut ours, step);
            prop_assert_eq!(&*ours, &*theirs);
            prop_assert_eq!(ours.first(), theirs.first());
            prop_assert_eq!(ours.iter().rev().count(), theirs.len());
        }
    }

    /// The sizes and items of src/: pairs of cells, a whole board.
    #[test]
    fn vectors_of_larger_items_are_equal(items in prop::collection::vec(any::<[u16; 2]>(), 0..80)) {
        let theirs: SmallVec<[[u16; 2]; 32]> = items.iter().copied().collect();
        let ours: stand_ins::smallvec::SmallVec<[[u16; 2]; 32]> = items.iter().copied().collect();
        prop_assert_eq!(&*ours, &*theirs);
    }
}
