//! Turns bytes into words: exact with thousands separated, adaptive in KiB and MiB, hexadecimal.

/// Bytes in a KiB.
pub const KIB: u64 = 1 << 10;
/// Bytes in a MiB.
pub const MIB: u64 = 1 << 20;
/// Bytes in a GiB.
pub const GIB: u64 = 1 << 30;

/// A number with a comma between thousands: `1,048,576`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a comma between thousands and so many digits, at least one, behind the point: `93,132.3`.
pub fn decimal(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    let (whole, rest) = text.split_at(text.len() - digits - 1);
    format!("{}{rest}", whole.parse().map_or_else(|_| whole.to_owned(), grouped))
}

/// Bytes in the unit that reads best: `512 B`, `63.0 KiB`, `1.50 MiB`.
pub fn adaptive(bytes: u64) -> String {
    let scaled =
        |unit: u64, name: &str, digits: usize| format!("{} {name}", decimal(bytes as f64 / unit as f64, digits));
    match bytes {
        0..KIB => format!("{bytes} B"),
        KIB..MIB => scaled(KIB, "KiB", 1),
        MIB..GIB => scaled(MIB, "MiB", 2),
        _ => scaled(GIB, "GiB", 2),
    }
}

/// Adaptive and, where that is rounded, exact: `63.0 KiB (64,512 B)`.
pub fn both(bytes: u64) -> String {
    if bytes < KIB { adaptive(bytes) } else { format!("{} ({} B)", adaptive(bytes), grouped(bytes)) }
}

/// Hexadecimal: `0xF000`.
pub fn hex(bytes: u64) -> String {
    format!("0x{bytes:X}")
}

/// The label of an axis tick, exact, in the largest unit of which the distance between ticks is at least a quarter:
/// `0`, `768 B`, `1.25 MiB`, `1,984 KiB`.
pub fn tick(bytes: u64, distance: u64) -> String {
    if bytes == 0 {
        return "0".to_string();
    }
    let unit = [(GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")]
        .into_iter()
        .find(|(unit, _)| distance >= unit / 4 && bytes >= *unit && (bytes * 4).is_multiple_of(*unit));
    match unit {
        None => format!("{} B", grouped(bytes)),
        Some((unit, name)) => {
            let fraction = match (bytes % unit) * 4 / unit {
                0 => "",
                1 => ".25",
                2 => ".5",
                _ => ".75",
            };
            format!("{}{fraction} {name}", grouped(bytes / unit))
        }
    }
}
