//! The orders in which the search tries items at the same offset. Knows nothing of the search.

use super::instance::Instance;

/// What items are ranked by, most first.
#[derive(Clone, Copy, Debug)]
enum Key {
    /// Steps alive.
    Width,
    /// Bytes times steps.
    Area,
    /// The largest sum of sizes in one of its sections.
    Total,
    /// Bytes.
    Size,
    /// The largest share in failures of one of its sections.
    Trouble,
}

/// The plain orders: ties of one key go by the next.
const PLAIN: [[Key; 3]; ORDERS] = [
    [Key::Width, Key::Area, Key::Total],
    [Key::Total, Key::Area, Key::Width],
    [Key::Total, Key::Width, Key::Area],
    [Key::Width, Key::Total, Key::Area],
    [Key::Total, Key::Size, Key::Area],
];

/// How many plain orders there are.
pub(super) const ORDERS: usize = 5;

/// By how many percent learned orders scale each key at most, round by round; those of a round's second half do not.
const NOISE_PERCENT: [u32; 3] = [2, 10, 30];

/// Ranks from 1, each once, by a plain order.
pub(super) fn plain(instance: &Instance, order: usize) -> Vec<u32> {
    ranks(instance, PLAIN[order], &[], 0, 0)
}

/// Ranks by trouble first, then by a plain order; for the first [`ORDERS`] of `order` shaken, in a way that depends on
/// `round`; always the same.
pub(super) fn learned(instance: &Instance, order: usize, round: u32, trouble: &[f64]) -> Vec<u32> {
    let noise = if order < ORDERS { NOISE_PERCENT[round as usize % NOISE_PERCENT.len()] } else { 0 };
    let plain = PLAIN[order % ORDERS];
    let keys = [Key::Trouble, plain[0], plain[1]];
    ranks(instance, keys, trouble, noise, u64::from(round) * ORDERS as u64 + order as u64)
}

fn ranks(instance: &Instance, order: [Key; 3], trouble: &[f64], noise: u32, seed: u64) -> Vec<u32> {
    let totals = instance.totals();
    let mut random = Random::new(seed);
    let mut keys: Vec<([f64; 3], usize)> = Vec::with_capacity(instance.len());
    for item in 0..instance.len() {
        let sections = instance.first[item] as usize..instance.end[item] as usize;
        let value = |key: Key| match key {
            Key::Width => f64::from(instance.steps[item]),
            Key::Area => f64::from(instance.size[item]) * f64::from(instance.steps[item]),
            Key::Total => f64::from(totals[sections.clone()].iter().copied().max().unwrap_or(0)),
            Key::Size => f64::from(instance.size[item]),
            Key::Trouble => trouble.get(sections.clone()).unwrap_or(&[]).iter().copied().fold(0.0, f64::max),
        };
        let mut shaken = || 1.0 + f64::from(noise) / 100.0 * random.fraction();
        keys.push((order.map(|key| value(key) * shaken()), item));
    }
    keys.sort_by(|(a, item), (b, other)| {
        let by_keys = a.iter().zip(b).map(|(a, b)| b.total_cmp(a)).find(|order| order.is_ne());
        by_keys.unwrap_or_else(|| item.cmp(other))
    });
    let mut ranks = vec![0; instance.len()];
    for (rank, (_, item)) in (1..).zip(keys) {
        ranks[item] = rank;
    }
    ranks
}

/// A small generator of numbers that look random and are always the same (`SplitMix64`, Steele et al. 2014).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 32) as u32
    }

    /// From 0 to 1.
    fn fraction(&mut self) -> f64 {
        f64::from(self.next()) / f64::from(u32::MAX)
    }
}
