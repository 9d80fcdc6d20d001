//! A program full of what a renamer can get wrong. tests/minify.rs compiles it as it is and
//! minified; both print the same.
#![allow(unused, clippy::all)]

use std::collections::{BTreeMap, HashMap as Table};
use std::fmt::{self, Write as _, Formatter};

/// A field, a method, a local, a function and a module item of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Point {
    row: i32,
    col: i32,
    len: usize,
}

fn row(row: i32) -> i32 {
    row + 1
}

impl Point {
    const LEN: usize = 3;

    const fn new(row: i32, col: i32) -> Self {
        Point { row, col, len: Self::LEN }
    }

    fn row(&self) -> i32 {
        let row = self.row;
        row + row_of(*self)
    }

    /// Std's too.
    fn len(&self) -> usize {
        self.len + [1, 2, 3].len() + "four".len()
    }

    fn map<T>(self, map: impl Fn(i32) -> T) -> Pair<T> {
        let Point { row, mut col, len: width } = self;
        col += width as i32;
        Pair { first: map(row), second: map(col) }
    }
}

fn row_of(Point { row: first, .. }: Point) -> i32 {
    row(first)
}

#[derive(Debug)]
struct Pair<T> {
    first: T,
    second: T,
}

impl<T: fmt::Display> fmt::Display for Pair<T> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let width = 6;
        let precision = 2;
        write!(f, "<{:>width$}|{:<1$}>", self.first, width)?;
        write!(f, "{first:·^width$} {{first}} {0:.precision$}", 1.23456, first = self.second)
    }
}

enum Shape<const SIDES: usize> {
    Regular { side: u32 },
    Free([u32; SIDES]),
    None,
}

impl<const SIDES: usize> Shape<SIDES> {
    fn around(&self) -> u32 {
        match self {
            Shape::Regular { side } if *side > 100 => 0,
            Self::Regular { side: edge } => edge * SIDES as u32,
            Self::Free(sides) => sides.iter().sum::<u32>(),
            Shape::<SIDES>::None => u32::MAX,
        }
    }
}

/// A trait with members of all kinds, called by a generic parameter.
trait Counter {
    type Unit: fmt::Display;
    const START: u64;
    fn count(&mut self) -> Self::Unit;
    fn twice(&mut self) -> Self::Unit {
        self.count();
        self.count()
    }
}

struct Ticks(u64);

impl Counter for Ticks {
    type Unit = u64;
    const START: u64 = 40;
    fn count(&mut self) -> u64 {
        self.0 += 1;
        self.0 + Self::START
    }
}

impl Iterator for Ticks {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        self.0 += 1;
        (self.0 < 10).then_some(self.0)
    }
}

fn run<C: Counter>(counter: &mut C) -> String {
    let unit = counter.twice();
    format!("{unit} after {}", C::START)
}

/// Lifetimes, labels, and a closure that borrows.
fn longest<'left, 'all: 'left>(left: &'left str, all: &'all [&'left str]) -> &'left str {
    let mut best = left;
    'outer: for text in all {
        for (index, letter) in text.char_indices() {
            if letter == 'x' || index > 20 {
                continue 'outer;
            }
        }
        best = if text.len() > best.len() { text } else { best };
    }
    best
}

macro_rules! maximum {
    ($first:expr $(, $rest:expr)*) => {{
        let mut best = $first;
        $( let other = $rest; if other > best { best = other; } )*
        best
    }};
}

static GREETING: &str = r#"raw "{row}" // not a name"#;
const LIMITS: [(char, i64); 2] = [('a', -1), ('\'', 1_000_000)];

fn patterns(value: Option<(u8, &str)>) -> String {
    const LOW: u8 = 5;
    let Some((number, text @ ("one" | "two"))) = value else {
        return "else".to_owned();
    };
    let kind = match number {
        0..=LOW => "low",
        n if n % 2 == 0 => { "even" }
        _ => "odd",
    };
    let is_long = matches!(value, Some((n, t)) if n as usize > t.len());
    if let (true, [first, .., last]) = (is_long, text.as_bytes()) {
        return format!("{kind} {first} {last}");
    }
    kind.into()
}

fn closures() -> i32 {
    let offset = 3;
    let add = |a: i32, b: &i32| -> i32 { a + b + offset };
    let pairs: Vec<(i32, Option<Vec<i32>>)> = vec![(1, None), (2, Some(vec![3]))];
    let sum = |pairs: &Vec<(i32, Option<Vec<i32>>)>| pairs.iter().map(|&(a, ref b)| a + b.as_ref().map_or(0, |b| b[0])).sum::<i32>();
    let any = pairs.iter().any(|(a, _)| *a == 1 || *a == 7) as i32 | 8;
    let none = || 100;
    add(sum(&pairs), &any) + none()
}

fn main() {
    let point = Point::new(2, 5);
    println!("{} {} {} {}", point.row(), point.len(), row(1), point.col);
    let other = Point { row: 9, ..point };
    println!("{}", other.map(|value| value * 2));
    println!("{:?}", Point::default() == Point { row: 0, col: 0, len: 0 });
    let shapes = [Shape::Regular { side: 4 }, Shape::Free([1, 2, 3]), Shape::None];
    let around: Vec<u32> = shapes.iter().map(Shape::around).collect();
    println!("{around:?} {}", run(&mut Ticks(0)));
    let (low, high): (Vec<u64>, Vec<u64>) = Ticks(3).partition(|tick| *tick < 6);
    println!("{low:?} {high:?}");
    println!("{}", longest("ab", &["abcx", "abc", "a"]));
    println!("{} {}", maximum!(3, 9, 4), GREETING);
    println!("{LIMITS:?} {:?}", LIMITS[1].1.max(3));
    for value in [None, Some((3, "one")), Some((8, "two")), Some((9, "two")), Some((1, "six"))] {
        println!("{}", patterns(value));
    }
    println!("{}", closures());
    let mut table: Table<&str, BTreeMap<u8, i32>> = Table::new();
    *table.entry("k").or_default().entry(1).or_insert(0) += 5;
    let mut text = String::new();
    let _ = write!(text, "{:?} {a} {b:>1$}", table, 4, a = point.col, b = other.row);
    println!("{text}");
    let r#type = (1,);
    let (single,) = r#type;
    println!("{single:03} {:?} {}", r#type, if single == 1 { "yes" } else { "no" });
    let mut n = 0;
    let reached = loop {
        n += 1;
        if n > 3 { break n; }
    };
    while let Some(rest) = (reached as usize).checked_sub(n) { n += 1; if rest == 0 { break } }
    println!("{n}{}", { let x = &mut n; *x -= 1; *x });
}
