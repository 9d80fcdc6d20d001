//! A program full of what a stripper of comments can get wrong. tests/bundle.rs compiles it as it
//! is and stripped; both print the same.
#![allow(unused)]

/* A block comment /* with one inside */ that ends here. */

/// Docs with "a quote, a /* and a 'tick.
struct Borrowed<'a> {
    text: &'a str, // 'a, "unbalanced
    /** Block docs. */
    marks: [char; 6],
}

impl<'a> Borrowed<'a> {
    fn longest<'b>(&'a self, other: &'b str) -> &'a str
    where
        'b: 'a,
    {
        if self.text.len() > other.len() { self.text } else { other }
    }
}

macro_rules! tokens {
    () => { 0 };
    ($first:tt $($rest:tt)*) => { 1 + tokens!($($rest)*) };
}

fn main() {
    // Strings that look like comments.
    println!("// no comment /* nor this */ \" // still inside");
    println!("ends in a backslash \\"); // "really a comment"
    println!("a line \
              that goes on, // with no comment
    and one that does not");
    println!("{}", "two  blanks	and a tab");
    // Raw strings: neither backslash nor quote ends them early.
    println!(r"raw \"); /* " */
    println!("{}", r#"raw " with // quotes"#);
    println!("{}", r##"raw "# with /* hashes */"##);
    println!("{:?} {:?}", br"bytes \", b"bytes \" // \\");
    println!("{:?} {:?}", cr#"for C " \"#, c"for C \" /*");
    // Characters, bytes, lifetimes.
    let marks = ['"', '\'', '\\', '/', '\u{2f}', '\n'];
    println!("{marks:?} {:?}", [b'"', b'\'', b'\\', b'/']);
    println!("{:?}", ('"', "//", '\'', "'"));
    let borrowed = Borrowed { text: "it's", marks };
    println!("{}", borrowed.longest(&"é // ü".to_owned()));
    let text: &'static str = "static";
    let count = 'outer: loop {
        /* a label */ loop { break 'outer 7; }
    };
    println!("{text} {count}");
    // Comments between tokens, with and without blanks.
    let/* no blank */joined/**/=/**/1/*one*/+/*two*/2;
    let r#type = joined /* left */- -1/**/as/**/i64;
    println!("{joined} {type} {}", 84/ /* by */2, type = r#type);
    println!("{}", 84 //
        / 2 // and a division over lines
        * 1);
    // Signs that would be others if they met, and a macro that counts them.
    let (a, b, c) = (&&1, true && !false, 0..=1);
    println!("{} {b} {:?} {}", **a, c, 1 & !!2);
    println!("{}", tokens!(a & & b && c < < d << e = = f == g - > h -> i . . j .. k 'x 'y' "z"));
    println!("{}", 1. + 2.0 - 3.max(4) as f64 / 5.0f64.min(6.));
}
