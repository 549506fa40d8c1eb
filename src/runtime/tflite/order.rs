//! The order in which the interpreter hands tensors to its arena, to the last tie.
//!
//! The interpreter collects the tensors of each node in a C++ `unordered_set` and sorts them with `std::sort`, which is
//! not stable; where two tensors of one node have equal size, the order is that of the C++ library. The released
//! builds use libstdc++, so this file does what libstdc++ does: [`NodeSet`] iterates as its hash set of ints, and
//! [`sort`] moves elements as its introsort. Knows nothing of tensors but their numbers.

/// Bucket counts that the hash set grows through when it grows one by one.
const BUCKETS: &[usize] = &[
    13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172_933, 351_061, 712_697, 1_447_153,
    2_938_679,
];

/// A set of small numbers that iterates in the order of libstdc++'s `unordered_set<int>`.
///
/// All elements hang on one list. A bucket's elements are neighbours on it; a new element goes before its bucket's
/// first one, or to the list's front when the bucket is empty. On growth the list is dealt out anew, front to back.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeSet {
    /// Element 0 stands before the front; the others are the set's.
    links: Vec<Link>,
    /// For each bucket the element before its first one.
    before: Vec<Option<usize>>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    value: u32,
    next: Option<usize>,
}

impl NodeSet {
    /// Adds `value` unless it is there.
    pub(super) fn insert(&mut self, value: u32) {
        if self.links.is_empty() {
            self.links.push(Link { value: u32::MAX, next: None });
        } else if self.contains(value) {
            return;
        }
        if self.links.len() > self.before.len() {
            self.grow();
        }
        let element = self.links.len();
        self.links.push(Link { value, next: None });
        self.hang(element);
    }

    /// The elements in order of iteration.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.links.first().and_then(|front| front.next);
        std::iter::from_fn(move || {
            let link = self.links[at?];
            at = link.next;
            Some(link.value)
        })
    }

    fn bucket(&self, value: u32) -> usize {
        value as usize % self.before.len()
    }

    fn contains(&self, value: u32) -> bool {
        let bucket = self.bucket(value);
        let mut at = self.before[bucket].and_then(|before| self.links[before].next);
        while let Some(link) = at.map(|at| self.links[at]).filter(|link| self.bucket(link.value) == bucket) {
            if link.value == value {
                return true;
            }
            at = link.next;
        }
        false
    }

    /// Hangs the element into the list by the rule above.
    fn hang(&mut self, element: usize) {
        let bucket = self.bucket(self.links[element].value);
        let before = self.before[bucket].unwrap_or(0);
        let next = self.links[before].next;
        self.links[element].next = next;
        self.links[before].next = Some(element);
        if self.before[bucket].is_none() {
            self.before[bucket] = Some(0);
            if let Some(next) = next {
                let moved = self.bucket(self.links[next].value);
                self.before[moved] = Some(element);
            }
        }
    }

    fn grow(&mut self) {
        let wanted = self.links.len();
        let buckets = BUCKETS.iter().copied().find(|&count| count >= wanted).unwrap_or(2 * wanted + 1);
        self.before = vec![None; buckets];
        let mut at = self.links[0].next.take();
        while let Some(element) = at {
            at = self.links[element].next;
            self.hang(element);
        }
    }
}

/// Below this length the introsort leaves ranges to the final insertion sort.
const SMALL: usize = 16;

/// Sorts as libstdc++'s `std::sort` does, elements that compare equal included.
pub(super) fn sort<T: Copy>(items: &mut [T], less: &impl Fn(T, T) -> bool) {
    if items.len() < 2 {
        return;
    }
    introsort(items, 2 * items.len().ilog2(), less);
    let head = items.len().min(SMALL);
    for index in 1..head {
        if less(items[index], items[0]) {
            items[..=index].rotate_right(1);
        } else {
            sink(items, index, less);
        }
    }
    for index in head..items.len() {
        sink(items, index, less);
    }
}

/// Moves the element at `index` down past all that are greater; one that is not must lie before it.
fn sink<T: Copy>(items: &mut [T], index: usize, less: &impl Fn(T, T) -> bool) {
    let mut to = index;
    while to > 0 && less(items[index], items[to - 1]) {
        to -= 1;
    }
    items[to..=index].rotate_right(1);
}

fn introsort<T: Copy>(mut items: &mut [T], mut depth: u32, less: &impl Fn(T, T) -> bool) {
    while items.len() > SMALL {
        if depth == 0 {
            heap_sort(items, less);
            return;
        }
        depth -= 1;
        let cut = partition(items, less);
        let (left, right) = items.split_at_mut(cut);
        introsort(right, depth, less);
        items = left;
    }
}

/// Puts the median of second, middle and last element first, and parts the rest by it; gives where the upper part starts.
fn partition<T: Copy>(items: &mut [T], less: &impl Fn(T, T) -> bool) -> usize {
    let (a, b, c) = (1, items.len() / 2, items.len() - 1);
    let (at_a, at_b, at_c) = (items[a], items[b], items[c]);
    let median = if less(at_a, at_b) {
        if less(at_b, at_c) {
            b
        } else if less(at_a, at_c) {
            c
        } else {
            a
        }
    } else if less(at_a, at_c) {
        a
    } else if less(at_b, at_c) {
        c
    } else {
        b
    };
    items.swap(0, median);
    let pivot = items[0];
    let (mut low, mut high) = (1, items.len());
    loop {
        while less(items[low], pivot) {
            low += 1;
        }
        high -= 1;
        while less(pivot, items[high]) {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        items.swap(low, high);
        low += 1;
    }
}

/// libstdc++'s heap sort, the fallback of its introsort on bad pivots.
fn heap_sort<T: Copy>(items: &mut [T], less: &impl Fn(T, T) -> bool) {
    let len = items.len();
    for parent in (0..=(len - 2) / 2).rev() {
        let value = items[parent];
        sift(items, parent, len, value, less);
    }
    for end in (1..len).rev() {
        let value = items[end];
        items[end] = items[0];
        sift(items, 0, end, value, less);
    }
}

/// Lets the hole at `hole` fall to a leaf, then lifts `value` from there to its place.
fn sift<T: Copy>(items: &mut [T], mut hole: usize, len: usize, value: T, less: &impl Fn(T, T) -> bool) {
    let top = hole;
    let mut child = hole;
    while child < (len - 1) / 2 {
        child = 2 * (child + 1);
        if less(items[child], items[child - 1]) {
            child -= 1;
        }
        items[hole] = items[child];
        hole = child;
    }
    if len.is_multiple_of(2) && child == (len - 2) / 2 {
        child = 2 * child + 1;
        items[hole] = items[child];
        hole = child;
    }
    while hole > top {
        let parent = (hole - 1) / 2;
        if !less(items[parent], value) {
            break;
        }
        items[hole] = items[parent];
        hole = parent;
    }
    items[hole] = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_s_newest_element_comes_first() {
        let mut set = NodeSet::default();
        for value in [1, 2, 14, 2] {
            set.insert(value);
        }
        // 1 and 14 share bucket 1 of 13; 2 was the newest when its bucket was empty.
        assert_eq!(set.iter().collect::<Vec<_>>(), [2, 14, 1]);
    }

    #[test]
    fn growing_deals_the_list_out_anew() {
        let mut set = NodeSet::default();
        for value in 0..14 {
            set.insert(value);
        }
        let expected: Vec<u32> = std::iter::once(13).chain(0..13).collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn sorts_whatever_the_pivots_are() {
        for len in 0..200_usize {
            let mut items: Vec<usize> = (0..len).map(|index| index * 7919 % 101).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            sort(&mut items, &|a, b| a < b);
            assert_eq!(items, expected);
            let mut heap: Vec<usize> = (0..len).map(|index| index * 7919 % 101).collect();
            if len > 1 {
                heap_sort(&mut heap, &|a, b| a < b);
                assert_eq!(heap, expected);
            }
        }
    }
}
