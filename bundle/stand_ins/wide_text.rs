// Stand-in for `include_bytes!`: the bytes of a data file that an upload has as text, in base 2¹⁵.

// The digits, as ranges: the first and the last character of each. They are letters of the basic
// multilingual plane that normalisation leaves alone, none that combine or go from right to left.
pub const RANGES: &str = "ҊӀӺԯԱՖ՚ֆऄनഒഺกะကဥ႞Ⴥა჻ሀቈበኈዘጐጘፚᎠᏵᐁᙿᚠᛸកឳᠠᡂᡄᡸᢇᢨᢰᣵ᥄ᥭᦀᦫ᧞ᨖ᨞ᩔᬓᬞᮮᯥ\
     ᯼ᰣᱍᱷᲐᲺᴀᴫᵹᶚ⠁⣿ⰀⱻⱾⳮ⳹ⴥⴰⵧ⺠⻲㐀ꀔꀖꒌ꒐꓆ꓐꓷ꓾ꘋꙀꙮꚠꛯꜢꝯꞋꟊꡀ꡷ꢂꢳ꤀ꤥꦄꦲꨀꨨꩾꪯꬰꭚꭰꯢ";

// The highest bits come first. Zeros fill the last digit.
pub fn bytes(text: &str) -> Vec<u8> {
    let mut values = vec![0; 1 << 16];
    let ends: Vec<u32> = RANGES.chars().map(|end| end as u32).collect();
    let digits = ends.chunks(2).flat_map(|ends| ends[0]..=ends[1]);
    for (value, digit) in digits.enumerate() {
        values[digit as usize] = value;
    }
    let mut bytes = Vec::new();
    let (mut word, mut bits) = (0, 0);
    for digit in text.chars() {
        word = word << 15 | values[digit as usize];
        bits += 15;
        while bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    bytes
}
