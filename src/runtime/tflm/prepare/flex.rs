//! Just enough of `FlexBuffers` to read the options of custom operators: a map or vector of numbers at the root.
//! Anything unexpected reads as `None`.

/// A map (or vector) at the root of a `FlexBuffer`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map<'b> {
    data: &'b [u8],
    /// Where its first value lies.
    start: usize,
    /// Bytes of a value.
    width: usize,
    len: usize,
    keyed: bool,
}

fn unsigned(data: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = data.get(at..at.checked_add(width)?)?;
    Some(bytes.iter().rev().fold(0, |value, byte| (value << 8) | u64::from(*byte)))
}

impl<'b> Map<'b> {
    /// The root of `data`.
    pub(super) fn root(data: &'b [u8]) -> Option<Map<'b>> {
        let (root_width, packed) = (usize::from(*data.last()?), *data.get(data.len().checked_sub(2)?)?);
        let (kind, width) = (packed >> 2, 1_usize << (packed & 3));
        if !matches!(root_width, 1 | 2 | 4 | 8) || !matches!(kind, 9 | 10) {
            return None;
        }
        let at = data.len().checked_sub(2 + root_width)?;
        let start = at.checked_sub(usize::try_from(unsigned(data, at, root_width)?).ok()?)?;
        let len = usize::try_from(unsigned(data, start.checked_sub(width)?, width)?).ok()?;
        Some(Map { data, start, width, len, keyed: kind == 9 })
    }

    /// The number at `index`; values of a map are ordered by key.
    pub(super) fn number(&self, index: usize) -> Option<i64> {
        if index >= self.len {
            return None;
        }
        let types = self.start.checked_add(self.len.checked_mul(self.width)?)?;
        let packed = *self.data.get(types.checked_add(index)?)?;
        let at = self.start.checked_add(index.checked_mul(self.width)?)?;
        let raw = unsigned(self.data, at, self.width)?;
        let signed = |raw: u64, width: usize| {
            let shift = 64 - 8 * u32::try_from(width).ok()?;
            Some((raw << shift).cast_signed() >> shift)
        };
        match packed >> 2 {
            1 => signed(raw, self.width),
            2 | 26 => i64::try_from(raw).ok(),
            6 | 7 => {
                let width = 1_usize << (packed & 3);
                let at = at.checked_sub(usize::try_from(raw).ok()?)?;
                signed(unsigned(self.data, at, width)?, width)
            }
            _ => None,
        }
    }

    /// The number under `key`.
    pub(super) fn get(&self, key: &str) -> Option<i64> {
        if !self.keyed {
            return None;
        }
        let keys_at = self.start.checked_sub(3 * self.width)?;
        let keys = keys_at.checked_sub(usize::try_from(unsigned(self.data, keys_at, self.width)?).ok()?)?;
        let key_width =
            usize::try_from(unsigned(self.data, self.start.checked_sub(2 * self.width)?, self.width)?).ok()?;
        (0..self.len)
            .find(|index| self.key(keys, key_width, *index) == Some(key.as_bytes()))
            .and_then(|index| self.number(index))
    }

    fn key(&self, keys: usize, width: usize, index: usize) -> Option<&'b [u8]> {
        if !matches!(width, 1 | 2 | 4 | 8) {
            return None;
        }
        let at = keys.checked_add(index.checked_mul(width)?)?;
        let text = self.data.get(at.checked_sub(usize::try_from(unsigned(self.data, at, width)?).ok()?)?..)?;
        text.split(|byte| *byte == 0).next()
    }
}

#[cfg(test)]
mod tests {
    use super::Map;

    /// `{"a": 7, "bc": 300}` with two-byte values, written by hand after the format's documentation.
    const SAMPLE: &[u8] = &[
        b'a', 0, b'b', b'c', 0, // keys
        2, 6, 5, // keys vector: two keys, offsets back to them
        0, // padding to two bytes
        3, 0, 1, 0, // offset to the keys vector, its width
        2, 0, // two values
        7, 0, 44, 1, // 7, 300
        5, 5, // both integers of two bytes
        6, 37, 1, // root: offset back to the values, type map of width 2, root width
    ];

    #[test]
    fn reads_numbers_by_key_and_by_index() {
        let map = Map::root(SAMPLE);
        assert_eq!(map.and_then(|map| map.get("a")), Some(7));
        assert_eq!(map.and_then(|map| map.get("bc")), Some(300));
        assert_eq!(map.and_then(|map| map.number(1)), Some(300));
        assert_eq!(map.and_then(|map| map.get("c")), None);
        assert_eq!(map.and_then(|map| map.number(2)), None);
    }

    #[test]
    fn rejects_anything_cut_short() {
        for end in 0..SAMPLE.len() {
            let cut = &SAMPLE[..end];
            assert!(Map::root(cut).and_then(|map| map.get("bc")).is_none_or(|number| number != 300));
        }
    }
}
