//! Turns C and C++ source into the byte arrays it defines, as `xxd -i` and the vendors' tools write them:
//! `const unsigned char g_model[] = { 0x1c, 0x00, … };`, also a bare list of numbers without a declaration.
//!
//! - Comments and strings are skipped; what stands between `{` and `}` counts when it is numbers and commas only.
//! - The array's name is the last word before `[`, else before `=`.
//! - Elements of wider types (`uint32_t`) become little-endian bytes.

use crate::error::{Error, ErrorKind, Result};

/// Fewer elements are no model, and too many arrays of them would hide the right one.
const LEAST_ELEMENTS: usize = 16;

/// One array of the source.
pub(super) struct Array {
    /// Its name; empty for a bare list.
    pub(super) name: String,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
}

/// All arrays of the source, in order.
pub(super) fn arrays(source: &[u8]) -> Vec<Array> {
    let mut scanner = Scanner { source, at: 0 };
    let mut arrays = Vec::new();
    let mut declaration = Declaration::default();
    // A file may be nothing but numbers, made to be included between braces.
    if let Some(bytes) = scanner.numbers(1, true) {
        arrays.push(Array { name: String::new(), bytes });
        return arrays;
    }
    while let Some(token) = scanner.next() {
        match token {
            Token::Word(word) => declaration.word(word),
            Token::Sign(b'[' | b'=') => declaration.close_name(),
            Token::Sign(b';' | b'}') => declaration = Declaration::default(),
            Token::Sign(b'{') => {
                if let Some(bytes) = scanner.numbers(declaration.width, false) {
                    let name = String::from_utf8_lossy(declaration.name.unwrap_or_default()).into_owned();
                    arrays.push(Array { name, bytes });
                }
            }
            Token::Sign(_) => {}
        }
    }
    arrays
}

/// The bytes of the array at `index`.
pub(super) fn array(source: &[u8], index: usize) -> Result<Vec<u8>> {
    let array = arrays(source).into_iter().nth(index);
    array
        .map(|array| array.bytes)
        .ok_or_else(|| Error::new(ErrorKind::Damaged, format!("the source has no array number {index}")))
}

/// What stands before a `{`: the name, and how wide elements are.
struct Declaration<'a> {
    last_word: Option<&'a [u8]>,
    name: Option<&'a [u8]>,
    width: usize,
}

impl Default for Declaration<'_> {
    fn default() -> Self {
        Declaration { last_word: None, name: None, width: 1 }
    }
}

impl<'a> Declaration<'a> {
    fn word(&mut self, word: &'a [u8]) {
        match word {
            b"uint16_t" | b"int16_t" | b"short" => self.width = 2,
            b"uint32_t" | b"int32_t" | b"int" | b"long" => self.width = 4,
            b"uint64_t" | b"int64_t" => self.width = 8,
            b"uint8_t" | b"int8_t" | b"char" => self.width = 1,
            _ => {}
        }
        self.last_word = Some(word);
    }

    /// The word before the first `[` or `=` is the name.
    fn close_name(&mut self) {
        self.name = self.name.or(self.last_word);
    }
}

enum Token<'a> {
    Word(&'a [u8]),
    Sign(u8),
}

struct Scanner<'a> {
    source: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.source.get(self.at..).unwrap_or_default()
    }

    /// Moves behind blanks, comments and preprocessor lines.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            let rest = self.rest();
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if rest.starts_with(b"//") || byte == b'#' {
                self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                self.at += end.map_or(rest.len(), |end| end + 4);
            } else {
                return;
            }
        }
    }

    /// The next word or sign; strings are skipped.
    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_blanks();
        let first = self.peek()?;
        if is_word(first) {
            return Some(Token::Word(self.word()));
        }
        self.at += 1;
        if first == b'"' || first == b'\'' {
            self.skip_string(first);
        }
        Some(Token::Sign(first))
    }

    /// The word that begins here.
    fn word(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    fn skip_string(&mut self, quote: u8) {
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == quote || byte == b'\n' {
                return;
            }
        }
    }

    /// Numbers and commas up to `}` (or to the end of the source), as bytes; `None`, with the place unchanged, when
    /// something else comes between or there are too few.
    fn numbers(&mut self, width: usize, to_end: bool) -> Option<Vec<u8>> {
        let start = self.at;
        let mut bytes = Vec::new();
        let mut count = 0;
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                None if to_end => break,
                Some(b'}') if !to_end => {
                    self.at += 1;
                    break;
                }
                _ => {
                    let Some(number) = self.number(width) else {
                        self.at = start;
                        return None;
                    };
                    bytes.extend(number.to_le_bytes().iter().take(width));
                    count += 1;
                }
            }
        }
        (count >= LEAST_ELEMENTS).then_some(bytes)
    }

    /// The number that begins here, if it fits `width` bytes with or without sign.
    fn number(&mut self, width: usize) -> Option<u64> {
        let negative = self.peek() == Some(b'-');
        if negative {
            self.at += 1;
        }
        let word = std::str::from_utf8(self.word()).ok()?;
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let value = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            u64::from_str_radix(hex, 16)
        } else if let Some(binary) = digits.strip_prefix("0b").or_else(|| digits.strip_prefix("0B")) {
            u64::from_str_radix(binary, 2)
        } else if digits.len() > 1 && digits.starts_with('0') {
            u64::from_str_radix(digits, 8)
        } else {
            digits.parse()
        };
        let value = value.ok()?;
        let fits = width >= 8 || value >> (8 * width) == 0;
        fits.then_some(if negative { value.wrapping_neg() } else { value })
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
