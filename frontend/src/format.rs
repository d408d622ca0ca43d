//! Figures as people read them: 3–4 significant digits with 万/亿 or K/M/B on the page, exact on hover and in tables.
//!
//! Everything comes in as whole micro-units (1e-6) or as the decimal string of the wire, and only integers are used, so
//! that no figure on the page differs from the books by a float's rounding. Rounding is half away from zero. The space
//! between a figure and its unit does not break.

use crate::texts::Locale;

/// Shown where a figure is missing; the reason stands in the element's title.
pub const MISSING: &str = "—";

const MICRO: u128 = 1_000_000;

const CHINESE: &[(u128, &str)] = &[(1, ""), (10_000, "万"), (100_000_000, "亿")];
const ENGLISH: &[(u128, &str)] = &[
    (1, ""),
    (1_000, "K"),
    (1_000_000, "M"),
    (1_000_000_000, "B"),
    (1_000_000_000_000, "T"),
];
const SI: &[(u128, &str)] = &[
    (1, ""),
    (1_000, "k"),
    (1_000_000, "M"),
    (1_000_000_000, "G"),
    (1_000_000_000_000, "T"),
    (1_000_000_000_000_000, "P"),
];

const KWH: &[(u128, &str)] = &[(1, "kWh"), (1_000, "MWh"), (1_000_000, "GWh")];

/// Micro-units of a decimal string; digits beyond the sixth place are rounded.
pub fn micro(decimal: &str) -> Option<i128> {
    let (negative, digits) = match decimal.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, decimal),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = !whole.is_empty()
        && whole
            .bytes()
            .chain(fraction.bytes())
            .all(|b| b.is_ascii_digit());
    if !plain {
        return None;
    }
    let kept: String = fraction.chars().chain("000000".chars()).take(6).collect();
    let round_up = fraction
        .as_bytes()
        .get(6)
        .is_some_and(|digit| *digit >= b'5');
    let magnitude = format!("{whole}{kept}").parse::<i128>().ok()? + i128::from(round_up);
    Some(if negative { -magnitude } else { magnitude })
}

/// An amount for the page: `1,235 万元`, `¥1.23 M`.
pub fn yuan(locale: Locale, currency: &str, micro: i64) -> String {
    let sign = minus(micro < 0);
    let magnitude = u128::from(micro.unsigned_abs());
    match locale {
        Locale::zh => {
            let (digits, unit) = significant(magnitude, CHINESE);
            match currency {
                "CNY" => format!("{sign}{digits}\u{a0}{unit}元"),
                other if unit.is_empty() => format!("{sign}{digits}\u{a0}{other}"),
                other => format!("{sign}{digits}\u{a0}{unit}\u{a0}{other}"),
            }
        }
        Locale::en => {
            let (digits, unit) = significant(magnitude, ENGLISH);
            let space = if unit.is_empty() { "" } else { "\u{a0}" };
            let symbol = symbol(currency);
            format!("{sign}{symbol}{digits}{space}{unit}")
        }
    }
}

/// The same with its sign always said: `+12.3 万元`.
pub fn yuan_signed(locale: Locale, currency: &str, micro: i64) -> String {
    let plus = if micro > 0 { "+" } else { "" };
    format!("{plus}{}", yuan(locale, currency, micro))
}

/// To the last micro-yuan the amount has, at least to the fen: `12,345,678.9012`.
pub fn exact(micro: i64) -> String {
    let magnitude = u128::from(micro.unsigned_abs());
    let sign = minus(micro < 0);
    let fraction = format!("{:06}", magnitude % MICRO);
    let kept = fraction.trim_end_matches('0').len().max(2);
    let fraction: String = fraction.chars().take(kept).collect();
    format!("{sign}{}.{fraction}", grouped(magnitude / MICRO))
}

/// To the fen, for tables whose header names the unit: `12,345,678.90`.
pub fn fen(micro: i64) -> String {
    let magnitude = u128::from(micro.unsigned_abs());
    let fen = (magnitude + 5_000) / 10_000;
    let sign = minus(micro < 0 && fen > 0);
    format!("{sign}{}.{:02}", grouped(fen / 100), fen % 100)
}

/// A plain quantity from its decimal string: `1.84 万`, `18.4 K`; `None` when it is no decimal.
pub fn number(locale: Locale, decimal: &str) -> Option<String> {
    let micro = micro(decimal)?;
    let sign = minus(micro < 0);
    let units = match locale {
        Locale::zh => CHINESE,
        Locale::en => ENGLISH,
    };
    let (digits, unit) = significant(micro.unsigned_abs(), units);
    let space = if unit.is_empty() { "" } else { "\u{a0}" };
    Some(format!("{sign}{digits}{space}{unit}"))
}

/// A physical quantity and its unit with SI prefix: `212.4`, `GFLOP/J`.
pub fn physical(decimal: &str, unit: &str) -> Option<(String, String)> {
    let micro = micro(decimal)?;
    let sign = minus(micro < 0);
    let (digits, prefix) = significant(micro.unsigned_abs(), SI);
    Some((format!("{sign}{digits}"), format!("{prefix}{unit}")))
}

/// Electricity from its decimal string of kWh: `1.23 万度`, `12.3 MWh`; `None` when it is no decimal.
pub fn energy(locale: Locale, kwh: &str) -> Option<String> {
    let micro = micro(kwh)?;
    let sign = minus(micro < 0);
    let (digits, unit) = match locale {
        Locale::zh => significant(micro.unsigned_abs(), CHINESE),
        Locale::en => significant(micro.unsigned_abs(), KWH),
    };
    let unit = match locale {
        Locale::zh => format!("{unit}度"),
        Locale::en => unit.to_owned(),
    };
    Some(format!("{sign}{digits}\u{a0}{unit}"))
}

/// All places of a decimal string, its whole part in groups: `12,345.678`; `None` when it is no decimal.
pub fn decimal(text: &str) -> Option<String> {
    let micro = micro(text)?;
    let magnitude = micro.unsigned_abs();
    let fraction = format!("{:06}", magnitude % MICRO);
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!(
        "{}{}{point}{fraction}",
        minus(micro < 0),
        grouped(magnitude / MICRO)
    ))
}

/// A whole count with its groups: `1,234,567`.
pub fn count(value: i64) -> String {
    let sign = minus(value < 0);
    format!("{sign}{}", grouped(u128::from(value.unsigned_abs())))
}

/// A ratio in micro-units (1 = 1,000,000) as a percentage: `61 %`, `8.2 %`; what it is of stands beside it.
pub fn percent(ratio_micro: i128) -> String {
    let magnitude = ratio_micro.unsigned_abs();
    let sign = minus(ratio_micro < 0);
    // One per mille is 1,000 micro-units.
    let per_mille = (magnitude + 500) / 1_000;
    if magnitude > 0 && per_mille == 0 {
        return "<0.1\u{a0}%".to_owned();
    }
    if per_mille < 100 {
        return match (per_mille / 10, per_mille % 10) {
            (0, 0) => "0\u{a0}%".to_owned(),
            (whole, tenth) => format!("{sign}{whole}.{tenth}\u{a0}%"),
        };
    }
    format!("{sign}{}\u{a0}%", grouped((magnitude + 5_000) / 10_000))
}

/// `part` ÷ `whole` in micro-units; `None` when the whole is 0.
pub fn ratio(part: i128, whole: i128) -> Option<i128> {
    if whole == 0 {
        return None;
    }
    let scaled = part.checked_mul(1_000_000)?;
    let half = whole.abs() / 2;
    let magnitude = (scaled.abs() + half) / whole.abs();
    Some(if (scaled < 0) == (whole < 0) {
        magnitude
    } else {
        -magnitude
    })
}

/// Which way a figure went against its comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
    Same,
}

/// A figure against its comparison: how much of the comparison's value it moved by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub direction: Direction,
    /// In the figure's own micro-units.
    pub absolute: i128,
    /// Of the comparison, in micro-units; `None` when that was 0.
    pub relative: Option<i128>,
}

impl Change {
    pub fn between(now: i128, before: i128) -> Self {
        let absolute = now - before;
        Self {
            direction: match absolute.signum() {
                1 => Direction::Up,
                -1 => Direction::Down,
                _ => Direction::Same,
            },
            absolute,
            relative: ratio(absolute, before.abs()),
        }
    }

    /// `+8.2 %`, or an em dash when there is nothing to be a percentage of.
    pub fn percent(self) -> String {
        match self.relative {
            Some(relative) if relative >= 500 => format!("+{}", percent(relative)),
            Some(relative) => percent(relative),
            None => MISSING.to_owned(),
        }
    }
}

/// Date and minute of an RFC 3339 time as it stands, without seconds and offset: `2026-12-01 07:55`.
pub fn minute(rfc3339: &str) -> String {
    let kept: String = rfc3339.chars().take(16).collect();
    kept.replacen('T', " ", 1)
}

/// Minus sign where a figure is negative.
fn minus(negative: bool) -> &'static str {
    if negative { "−" } else { "" }
}

fn symbol(currency: &str) -> String {
    match currency {
        "CNY" => "¥".to_owned(),
        "USD" => "$".to_owned(),
        "EUR" => "€".to_owned(),
        other => format!("{other} "),
    }
}

/// Digits to three or four significant places in the largest unit that leaves something before the point.
fn significant(micro: u128, units: &[(u128, &'static str)]) -> (String, &'static str) {
    let mut chosen = (String::from("0"), "");
    for (index, (size, name)) in units.iter().enumerate() {
        let (whole, text) = rounded(micro, size * MICRO);
        chosen = (text, name);
        let limit = units.get(index + 1).map(|(next, _)| next / size);
        if limit.is_none_or(|limit| whole < limit) {
            break;
        }
    }
    chosen
}

/// `micro ÷ divisor` with as many places as leave three or four significant digits, and its whole part.
fn rounded(micro: u128, divisor: u128) -> (u128, String) {
    let mut places = places(micro, divisor);
    loop {
        let scale = 10_u128.pow(places);
        let scaled = (micro * scale + divisor / 2) / divisor;
        let whole = scaled / scale;
        // Rounding may bring a digit more before the point (9.996 → 10.00): one place less then.
        let fewer = places_for_whole(whole);
        if whole > 0 && fewer < places {
            places = fewer;
            continue;
        }
        let text = if places == 0 {
            grouped(whole)
        } else {
            let width = usize::try_from(places).unwrap_or(0);
            format!("{}.{:0width$}", grouped(whole), scaled % scale)
        };
        return (whole, text);
    }
}

fn places(micro: u128, divisor: u128) -> u32 {
    if micro == 0 {
        return 0;
    }
    let whole = micro / divisor;
    if whole > 0 {
        return places_for_whole(whole);
    }
    // Below one: two digits after the leading zeros, at most to the micro-unit.
    (1..5)
        .find(|leading| micro * 10_u128.pow(*leading) >= divisor)
        .map_or(6, |leading| leading + 1)
}

fn places_for_whole(whole: u128) -> u32 {
    match whole {
        0..10 => 2,
        10..1_000 => 1,
        _ => 0,
    }
}

fn grouped(value: u128) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figure with spaces that are easier to write.
    fn plain(text: &str) -> String {
        text.replace('\u{a0}', " ")
    }

    #[test]
    fn yuan_in_chinese_units() {
        let check = |micro: i64, expected: &str| {
            assert_eq!(plain(&yuan(Locale::zh, "CNY", micro)), expected, "{micro}");
        };
        check(0, "0 元");
        check(3_400, "0.0034 元");
        check(500_000, "0.50 元");
        check(842_130_000, "842.1 元");
        check(9_999_400_000, "9,999 元");
        check(9_999_600_000, "1.00 万元");
        check(962_000_000_000, "96.2 万元");
        check(12_345_000_000_000, "1,235 万元");
        check(-12_345_000_000_000, "−1,235 万元");
        check(123_456_789_000_000, "1.23 亿元");
        assert_eq!(
            plain(&yuan(Locale::zh, "USD", 12_300_000_000)),
            "1.23 万 USD"
        );
    }

    #[test]
    fn yuan_in_english_units() {
        let check = |micro: i64, expected: &str| {
            assert_eq!(plain(&yuan(Locale::en, "CNY", micro)), expected, "{micro}");
        };
        check(0, "¥0");
        check(999_960_000, "¥1.00 K");
        check(1_234_567_000_000, "¥1.23 M");
        check(-45_600_000_000, "−¥45.6 K");
        check(i64::MAX, "¥9.22 T");
        assert_eq!(yuan(Locale::en, "CHF", 1_000_000), "CHF 1.00");
        assert_eq!(yuan_signed(Locale::en, "CNY", 2_000_000), "+¥2.00");
    }

    #[test]
    fn exact_amounts_keep_every_micro_yuan() {
        let check = |micro: i64, expected: &str| assert_eq!(exact(micro), expected);
        check(0, "0.00");
        check(1, "0.000001");
        check(-12_345_678_901_200, "−12,345,678.9012");
        check(i64::MIN, "−9,223,372,036,854.775808");
    }

    #[test]
    fn fen_round_half_away_from_zero() {
        let check = |micro: i64, expected: &str| assert_eq!(fen(micro), expected);
        check(4_999, "0.00");
        check(5_000, "0.01");
        check(-5_000, "−0.01");
        check(-4_999, "0.00");
        check(1_234_567_894_999, "1,234,567.89");
    }

    #[test]
    fn decimal_strings_become_micro_units() {
        let check =
            |text: &str, expected: Option<i128>| assert_eq!(micro(text), expected, "{text}");
        check("1.84", Some(1_840_000));
        check("-0.0000005", Some(-1));
        check("212000000000", Some(212_000_000_000_000_000));
        check("1e3", None);
        check("", None);
    }

    #[test]
    fn numbers_by_language() {
        let check = |locale, text: &str, expected: &str| {
            assert_eq!(
                number(locale, text).as_deref().map(plain).as_deref(),
                Some(expected)
            );
        };
        check(Locale::zh, "18400", "1.84 万");
        check(Locale::en, "18400", "18.4 K");
        check(Locale::zh, "0.92", "0.92");
        check(Locale::en, "-1500000", "−1.50 M");
        assert_eq!(number(Locale::en, "n/a"), None);
        assert_eq!(
            physical("212400000000", "FLOP/J"),
            Some(("212.4".into(), "GFLOP/J".into()))
        );
    }

    #[test]
    fn electricity_in_the_units_of_its_bill() {
        let check = |kwh: &str, chinese: &str, english: &str| {
            let of = |locale| energy(locale, kwh).map(|text| plain(&text));
            assert_eq!(of(Locale::zh).as_deref(), Some(chinese));
            assert_eq!(of(Locale::en).as_deref(), Some(english));
        };
        check("842.130000", "842.1 度", "842.1 kWh");
        check("12345.678901", "1.23 万度", "12.3 MWh");
        check("0.000000", "0 度", "0 kWh");
        assert_eq!(energy(Locale::en, "much"), None);
        assert_eq!(decimal("12345.678900").as_deref(), Some("12,345.6789"));
        assert_eq!(decimal("12.000000").as_deref(), Some("12"));
    }

    #[test]
    fn percentages() {
        let check = |ratio: i128, expected: &str| assert_eq!(plain(&percent(ratio)), expected);
        check(0, "0 %");
        check(100, "<0.1 %");
        check(-100, "<0.1 %");
        check(82_000, "8.2 %");
        check(-31_000, "−3.1 %");
        check(612_345, "61 %");
        check(99_960, "10 %");
        check(1_000_000, "100 %");
        check(12_345_678_900, "1,234,568 %");
    }

    #[test]
    fn ratios_round_half_away_from_zero() {
        let check = |part, whole, expected| assert_eq!(ratio(part, whole), expected);
        check(1, 3, Some(333_333));
        check(2, 3, Some(666_667));
        check(-2, 3, Some(-666_667));
        check(1, 0, None);
    }

    #[test]
    fn changes_say_direction_and_share_of_the_comparison() {
        let check = |now, before, expected: &str| {
            assert_eq!(plain(&Change::between(now, before).percent()), expected);
        };
        check(1_082, 1_000, "+8.2 %");
        check(969, 1_000, "−3.1 %");
        check(5, 0, "—");
        check(5, 5, "0 %");
        check(100_001, 100_000, "<0.1 %");
        assert_eq!(Change::between(1, 2).direction, Direction::Down);
    }

    #[test]
    fn counts_and_minutes() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(-12), "−12");
        assert_eq!(minute("2026-12-01T07:55:12+08:00"), "2026-12-01 07:55");
    }
}
