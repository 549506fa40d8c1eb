//! Sets of small numbers as bits of words. Knows nothing of what they stand for.

/// The bits of a word, ascending.
pub(super) struct Ones {
    word: u64,
    base: usize,
}

impl Ones {
    /// The bits of `bits`, which is word number `word` of a set.
    pub(super) fn new(bits: u64, word: usize) -> Ones {
        Ones { word: bits, base: word * 64 }
    }
}

impl Iterator for Ones {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.word == 0 {
            return None;
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(self.base + bit)
    }
}

/// The bits of word `index` that lie in `[low, high)`.
pub(super) fn masked(words: &[u64], index: usize, low: usize, high: usize) -> u64 {
    let mut word = words[index];
    if index == low / 64 {
        word &= u64::MAX << (low % 64);
    }
    if index == high / 64 {
        word &= !(u64::MAX << (high % 64));
    }
    word
}

/// A number below 2^32 as such; the search's tables keep every index below that.
pub(super) fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
