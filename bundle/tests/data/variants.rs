#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Made,
    Unmade,
    Block,
}
#[derive(PartialEq)]
enum Kept {
    First,
    Compared,
}
enum Order {
    Before,
    Behind,
    Last,
}
enum Own {
    One,
    OfSelf,
}
enum Rich {
    Plain,
    WithField(u8),
}
enum Guard {
    Open,
    Guarded,
}
impl Own {
    fn make(two: bool) -> Self {
        if two {
            Self::OfSelf
        } else {
            Own::One
        }
    }
}
fn of_last() -> u8 {
    91
}
fn of_block() -> u8 {
    92
}
fn main() {
    let mode = Mode::Made;
    let by_mode = match mode {
        Mode::Unmade => match mode {
            Mode::Made => 1,
            _ => 2,
        },
        Mode::Block => {
            let many = (1, 2);
            many.0 + of_block()
        }
        Mode::Made => 3,
    };
    let kept = Kept::First;
    let compared = if kept == Kept::Compared { 4 } else { 5 };
    let order = |order| match order {
        Order::Before => 6,
        Order::Last => of_last(),
        Order::Behind => 7,
    };
    let own = match Own::make(by_mode == 3) {
        Own::One => 8,
        Own::OfSelf => 9,
    };
    let rich = match Rich::Plain {
        Rich::Plain => 10,
        Rich::WithField(value) => value,
    };
    let guard = match Guard::Open {
        Guard::Guarded if by_mode == 4 => 11,
        Guard::Open | Guard::Guarded => 12,
    };
    let behind = order(Order::Behind);
    println!("{by_mode} {compared} {behind} {own} {rich} {guard}");
}
