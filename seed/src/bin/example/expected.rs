//! The totals of the example company, counted another way than the product counts them: `expected.toml`.

use std::fmt::Write;

use crate::calendar::{hour_of_day, is_october};
use crate::company::{PRICES, level};
use crate::energy::hours;

/// Yuan a month, as `assets.csv` and `recurring.csv` give them: (1,620,000 × 0.96 ÷ 36) + (864,000 × 0.96 ÷ 48).
const DEPRECIATION: u64 = 43_200 + 17_280;
/// Rent, network, staff, support.
const RECURRING: u64 = 14_400 + 4_320 + 30_000 + 10_000;
/// Two cards at 20 yuan an hour.
const CLOUD_PER_HOUR: u64 = 2 * 20;

pub fn totals() -> String {
    let mut out = "\
# Totals of the example company in yuan, written by `cargo run -p seed --bin example`.
# Electricity is facility energy times price, hour by hour; a device-hour is rounded to the micro-yuan, so that the
# books may differ by a fraction of a fen.
"
    .to_owned();
    for (month, hours, is_wanted) in [("2026-10", 31 * 24, true), ("2026-11", 30 * 24, false)] {
        let electricity = electricity_micro(is_wanted);
        let cloud = CLOUD_PER_HOUR * hours;
        let whole = (DEPRECIATION + RECURRING + cloud) * 1_000_000 + electricity;
        let _ = write!(
            out,
            "\n[\"{month}\"]\ndepreciation = \"{DEPRECIATION}.00\"\nrecurring = \"{RECURRING}.00\"\n\
             cloud = \"{cloud}.00\"\nelectricity = \"{}\"\ntotal = \"{}\"\n",
            yuan(electricity),
            yuan(whole),
        );
    }
    out
}

/// Watt-hours × yuan per kWh in 1e-4 is 1e-7 yuan.
fn electricity_micro(is_wanted: bool) -> u64 {
    let tenths: u64 = (0..)
        .zip(hours())
        .filter(|(hour, _)| is_october(*hour) == is_wanted)
        .map(|(hour, energy)| energy.facility * price(hour))
        .sum();
    tenths.div_ceil(10)
}

fn price(hour: u32) -> u64 {
    let name = level(hour_of_day(hour));
    PRICES
        .iter()
        .find(|(level, _)| *level == name)
        .map_or(0, |(_, [october, november])| {
            if is_october(hour) {
                *october
            } else {
                *november
            }
        })
}

fn yuan(micro: u64) -> String {
    let fen = (micro + 5_000) / 10_000;
    format!("{}.{:02}", fen / 100, fen % 100)
}

#[cfg(test)]
mod tests {
    use super::{PRICES, totals};
    use crate::company::FILES;

    /// The prices are told twice, for the file and for the sum.
    #[test]
    fn the_prices_are_those_of_the_file() {
        let file = FILES
            .iter()
            .find(|(name, _)| *name == "tariff_prices.csv")
            .map_or("", |(_, text)| text);
        for (level, prices) in PRICES {
            for (month, price) in ["2026-10", "2026-11"].into_iter().zip(prices) {
                let row = format!(
                    "example-tou,{month},{level},{}.{:02}",
                    price / 10_000,
                    price % 10_000 / 100
                );
                assert!(file.lines().any(|line| line == row), "{row}");
            }
        }
    }

    #[test]
    fn a_months_depreciation_is_a_thirty_sixth_and_a_forty_eighth() {
        assert!(totals().contains("depreciation = \"60480.00\""));
    }
}
