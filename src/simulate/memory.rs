//! A map of an arena's bytes to the value that was written there last. Knows nothing of programs.

use std::collections::BTreeMap;
use std::ops::Range;

/// A value written to memory: an index into its owner's list.
pub(super) type ValueId = usize;

/// A run of bytes that hold one value.
#[derive(Clone, Copy, Debug)]
struct Piece {
    end: u64,
    value: ValueId,
}

/// Which bytes hold which value. Pieces never overlap; bytes outside all pieces were never written.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pieces: BTreeMap<u64, Piece>,
}

impl Memory {
    /// Lets `bytes` hold `value`, over whatever they held.
    pub(super) fn write(&mut self, bytes: Range<u64>, value: ValueId) {
        if bytes.is_empty() {
            return;
        }
        // Cut the piece that reaches in from below; what sticks out above is put back by the loop.
        if let Some((start, piece)) =
            self.pieces.range(..bytes.start).next_back().map(|(start, piece)| (*start, *piece))
            && piece.end > bytes.start
        {
            self.pieces.insert(start, Piece { end: bytes.start, ..piece });
            self.pieces.insert(bytes.start, piece);
        }
        while let Some((start, piece)) = self.pieces.range(bytes.clone()).next().map(|(start, piece)| (*start, *piece))
        {
            self.pieces.remove(&start);
            if piece.end > bytes.end {
                self.pieces.insert(bytes.end, piece);
            }
        }
        self.pieces.insert(bytes.start, Piece { end: bytes.end, value });
    }

    /// The first part of `bytes` that holds another value than `value`; bytes that hold nothing do not count.
    pub(super) fn first_other(&self, bytes: Range<u64>, value: ValueId) -> Option<(Range<u64>, ValueId)> {
        let below = self.pieces.range(..bytes.start).next_back().filter(|(_, piece)| piece.end > bytes.start);
        let (start, piece) = below
            .into_iter()
            .chain(self.pieces.range(bytes.clone()))
            .find(|(_, piece)| piece.value != value)
            .map(|(start, piece)| (*start, *piece))?;
        Some((start.max(bytes.start)..piece.end.min(bytes.end), piece.value))
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn writes_cut_what_they_cover() {
        let mut memory = Memory::default();
        memory.write(0..100, 1);
        assert_eq!(memory.first_other(0..100, 1), None);
        memory.write(40..60, 2);
        assert_eq!(memory.first_other(0..100, 1), Some((40..60, 2)));
        assert_eq!(memory.first_other(0..40, 1), None);
        assert_eq!(memory.first_other(60..100, 1), None);
        assert_eq!(memory.first_other(50..100, 2), Some((60..100, 1)));
        memory.write(50..200, 3);
        assert_eq!(memory.first_other(0..300, 1), Some((40..50, 2)));
        assert_eq!(memory.first_other(45..300, 2), Some((50..200, 3)));
        memory.write(0..300, 4);
        assert_eq!(memory.first_other(0..1000, 4), None);
        assert_eq!(memory.first_other(300..400, 9), None, "never written");
        memory.write(7..7, 5);
        assert_eq!(memory.first_other(0..300, 4), None, "an empty write changes nothing");
    }
}
