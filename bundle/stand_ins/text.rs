// Stand-in for `include_bytes!`: the bytes of a data file that an upload has as text, in base 94.

// Eleven digits are nine bytes, the most significant digit and byte first: 2⁷² is just below 94¹¹.
const DIGITS: usize = 11;

// Digits are the characters from the space to `~` without the quotation mark. Zeros fill the last
// nine bytes.
pub fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for digits in text.as_bytes().chunks(DIGITS) {
        let mut word = 0;
        for digit in digits {
            let value = digit.wrapping_sub(b' ' + (*digit > b'"') as u8);
            word = word * 94 + value as u128;
        }
        bytes.extend(&word.to_be_bytes()[7..]);
    }
    bytes
}
