#[derive(Debug)]
struct Alone(u8);
#[derive(Clone, Debug, PartialEq)]
struct Between(Alone2);
#[derive(Debug, Clone, PartialEq)]
struct Alone2(u8);
#[derive(Clone, Copy, Debug)]
struct Last(u8);
#[allow(clippy::large_enum_variant)]
struct ByHand(u8);
impl std::fmt::Debug for ByHand {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "by hand")
    }
}
#[rustfmt::skip]
fn main() {
    debug_assert!(Alone(1).0 == 2, "it is {}", 1);
    let between = Between(Alone2(3));
    debug_assert_eq!(between.0 .0, 4);
    let last = Last(5);
    let copied = last;
    println!(
        "{} {}",
        between.clone() == between,
        last.0 + copied.0 + ByHand(1).0
    );
}
