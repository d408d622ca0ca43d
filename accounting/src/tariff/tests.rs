#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may")]
use super::*;
use crate::facts::{Holiday, TariffPrice, Validity};
use crate::quantity::decimal;
use crate::time::instant;
use proptest::prelude::*;

const SHANGHAI: Zone = Zone::Asia__Shanghai;

fn time(zone: Zone, text: &str) -> Ms {
    instant(
        zone,
        NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").unwrap(),
    )
}

/// `months`, `days`, `HH:MM-HH:MM`, level.
fn row(season: Season, days: DayKind, slot: (&str, &str), level: Level) -> TariffRow {
    let minute = |text: &str| {
        let (hour, minute) = text.split_once(':').unwrap();
        hour.parse::<u32>().unwrap() * 60 + minute.parse::<u32>().unwrap()
    };
    TariffRow {
        tariff: "bj".into(),
        valid: Validity::default(),
        season,
        days,
        slot: (minute(slot.0), minute(slot.1)),
        level,
    }
}

const YEAR: Season = Season::Months { from: 1, to: 12 };

fn price(month: &str, level: Level, text: &str) -> TariffPrice {
    TariffPrice {
        tariff: "bj".into(),
        month: Month::parse(month).unwrap(),
        level,
        price_per_kwh: decimal(text).unwrap(),
        currency: "CNY".into(),
    }
}

fn levels(rows: Vec<TariffRow>, holidays: Vec<Holiday>) -> impl Fn(Zone, &str) -> Level {
    let facts = Facts {
        tariffs: rows,
        holidays,
        ..Facts::default()
    };
    move |zone, text| {
        let (tariffs, doubts) = Tariffs::new(&facts);
        assert_eq!(doubts, []);
        let region = Id::from("bj");
        let slot = tariffs.at("bj", zone, Some(&region), time(zone, text));
        slot.unwrap().level
    }
}

use DayKind::{All, Dates, Weekend, Workday};
use Level::{Critical, DeepValley, Flat, Peak, Valley};

#[test]
fn a_slot_on_the_half_hour_and_one_past_midnight() {
    let level = levels(
        vec![
            row(YEAR, All, ("19:30", "22:00"), Peak),
            row(YEAR, All, ("23:00", "07:00"), Valley),
        ],
        vec![],
    );
    for (text, expected) in [
        ("2026-07-01 19:29", Flat),
        ("2026-07-01 19:30", Peak),
        ("2026-07-01 21:59", Peak),
        ("2026-07-01 22:00", Flat),
        ("2026-07-01 22:59", Flat),
        ("2026-07-01 23:00", Valley),
        ("2026-07-01 00:00", Valley),
        ("2026-07-01 06:59", Valley),
        ("2026-07-01 07:00", Flat),
    ] {
        assert_eq!(level(SHANGHAI, text), expected, "{text}");
    }
}

#[test]
fn the_row_s_day_and_month_are_those_of_the_instant() {
    // July, workdays: Friday the 31st at 23:30 is in it, Saturday the 1st of August at 00:30 is not.
    let july = Season::Months { from: 7, to: 7 };
    let level = levels(
        vec![
            row(july, All, ("22:00", "02:00"), Peak),
            row(YEAR, Workday, ("12:00", "24:00"), Valley),
        ],
        vec![],
    );
    assert_eq!(
        level(SHANGHAI, "2026-07-31 23:30"),
        Valley,
        "workday beats all"
    );
    assert_eq!(level(SHANGHAI, "2026-07-31 00:30"), Peak);
    assert_eq!(level(SHANGHAI, "2026-08-01 00:30"), Flat);
    assert_eq!(
        level(SHANGHAI, "2026-07-01 00:30"),
        Peak,
        "its first day begins at midnight"
    );
}

#[test]
fn seasons_pass_the_year_s_end_by_month_and_by_day() {
    let winter = Season::Months { from: 11, to: 2 };
    let days = Season::Days {
        from: (12, 15),
        to: (1, 10),
    };
    let level = levels(
        vec![
            row(winter, All, ("00:00", "12:00"), Peak),
            row(days, All, ("12:00", "24:00"), Critical),
        ],
        vec![],
    );
    for (text, expected) in [
        ("2026-10-31 10:00", Flat),
        ("2026-11-01 10:00", Peak),
        ("2027-02-28 10:00", Peak),
        ("2027-03-01 10:00", Flat),
        ("2026-12-14 13:00", Flat),
        ("2026-12-15 13:00", Critical),
        ("2027-01-10 23:59", Critical),
        ("2027-01-11 00:00", Peak),
        ("2027-01-11 13:00", Flat),
    ] {
        assert_eq!(level(SHANGHAI, text), expected, "{text}");
    }
}

#[test]
fn the_most_specific_day_kind_wins_then_the_later_from() {
    let whole = ("00:00", "24:00");
    let date = "2026-10-01".parse().unwrap();
    let mut newer = row(YEAR, Workday, whole, Critical);
    newer.valid.from = Some(time(SHANGHAI, "2026-06-01 00:00"));
    newer.valid.to = Some(time(SHANGHAI, "2026-07-01 00:00"));
    let level = levels(
        vec![
            row(YEAR, All, whole, Peak),
            row(YEAR, Workday, whole, Flat),
            newer,
            row(YEAR, Weekend, whole, Valley),
            row(YEAR, DayKind::Holiday, whole, DeepValley),
            row(YEAR, Dates(vec![date]), ("08:00", "10:00"), Critical),
        ],
        vec![
            Holiday {
                date,
                workday: false,
                region: None,
            },
            Holiday {
                date: "2026-10-10".parse().unwrap(),
                workday: true,
                region: None,
            },
            Holiday {
                date: "2026-10-12".parse().unwrap(),
                workday: false,
                region: None,
            },
            Holiday {
                date: "2026-10-12".parse().unwrap(),
                workday: true,
                region: Some("bj".into()),
            },
            Holiday {
                date: "2026-10-13".parse().unwrap(),
                workday: false,
                region: Some("sh".into()),
            },
        ],
    );
    for (text, expected) in [
        ("2026-05-29 12:00", Flat),
        ("2026-06-01 00:00", Critical),
        ("2026-06-30 23:59", Critical),
        ("2026-07-01 00:00", Flat),
        ("2026-06-06 12:00", Valley),
        ("2026-10-01 09:00", Critical),
        ("2026-10-01 10:00", DeepValley),
        // A Saturday made up for, and regions: the own entry beats the general one, another's is none.
        ("2026-10-10 12:00", Flat),
        ("2026-10-12 12:00", Flat),
        ("2026-10-13 12:00", Flat),
    ] {
        assert_eq!(level(SHANGHAI, text), expected, "{text}");
    }
}

#[test]
fn a_holiday_is_neither_workday_nor_weekend() {
    let sunday = Holiday {
        date: "2026-10-04".parse().unwrap(),
        workday: false,
        region: None,
    };
    let level = levels(
        vec![
            row(YEAR, Workday, ("00:00", "24:00"), Peak),
            row(YEAR, Weekend, ("00:00", "24:00"), Valley),
        ],
        vec![sunday],
    );
    assert_eq!(level(SHANGHAI, "2026-10-04 12:00"), Flat);
    assert_eq!(level(SHANGHAI, "2026-10-11 12:00"), Valley);
}

#[test]
fn slots_follow_the_wall_clock_when_it_changes() {
    let zone = Zone::America__New_York;
    let facts = Facts {
        tariffs: vec![row(YEAR, All, ("01:00", "03:00"), Valley)],
        ..Facts::default()
    };
    let (tariffs, _) = Tariffs::new(&facts);
    let count = |day: &str| {
        let day = crate::time::day_span(zone, day.parse().unwrap());
        day.pieces(day.start, 30 * crate::time::MINUTE_MS)
            .filter(|half| tariffs.at("bj", zone, None, half.start).unwrap().level == Valley)
            .count()
    };
    assert_eq!(count("2024-03-09"), 4);
    assert_eq!(count("2024-03-10"), 2, "02:00–03:00 does not exist");
    assert_eq!(count("2024-11-03"), 6, "01:00–02:00 comes twice");
}

#[test]
fn a_month_without_price_takes_the_last_known_of_its_level() {
    let facts = Facts {
        tariffs: vec![row(YEAR, All, ("08:00", "12:00"), Peak)],
        tariff_prices: vec![
            price("2026-06", Peak, "1.1"),
            price("2026-08", Peak, "1.2"),
            price("2026-07", Flat, "0.7"),
        ],
        ..Facts::default()
    };
    let (tariffs, _) = Tariffs::new(&facts);
    let at = |text: &str| {
        tariffs
            .at("bj", SHANGHAI, None, time(SHANGHAI, text))
            .unwrap()
    };
    let check = |text: &str, expected: Option<&str>, last_known| {
        let slot = at(text);
        assert_eq!(
            slot.price.as_ref().map(|p| p.0),
            expected.map(|p| decimal(p).unwrap()),
            "{text}"
        );
        assert_eq!(slot.last_known, last_known, "{text}");
    };
    check("2026-05-31 09:00", None, false);
    check("2026-06-01 09:00", Some("1.1"), false);
    check("2026-07-31 09:00", Some("1.1"), true);
    check("2026-08-01 09:00", Some("1.2"), false);
    check("2027-08-01 09:00", Some("1.2"), true);
    check("2026-06-30 13:00", None, false);
    check("2026-08-30 13:00", Some("0.7"), true);
    assert_eq!(
        at("2026-07-31 09:00").price.unwrap().2,
        Month::parse("2026-06").unwrap()
    );
    assert_eq!(tariffs.at("sh", SHANGHAI, None, 0), None);
}

#[test]
fn rows_with_nothing_to_choose_between_are_a_doubt() {
    let doubts = |a: TariffRow, b: TariffRow| {
        let facts = Facts {
            tariffs: vec![a, b],
            ..Facts::default()
        };
        Tariffs::new(&facts).1.len()
    };
    let date = |text: &str| text.parse::<NaiveDate>().unwrap();
    let peak = row(YEAR, All, ("08:00", "12:00"), Peak);
    assert_eq!(
        doubts(peak.clone(), row(YEAR, All, ("11:00", "13:00"), Valley)),
        1
    );
    assert_eq!(
        doubts(peak.clone(), row(YEAR, All, ("11:00", "13:00"), Peak)),
        0
    );
    assert_eq!(
        doubts(peak.clone(), row(YEAR, All, ("12:00", "08:00"), Valley)),
        0
    );
    assert_eq!(
        doubts(peak.clone(), row(YEAR, Workday, ("11:00", "13:00"), Valley)),
        0
    );
    let mut later = row(YEAR, All, ("11:00", "13:00"), Valley);
    later.valid.from = Some(0);
    assert_eq!(doubts(peak, later), 0);
    let winter = row(
        Season::Months { from: 11, to: 2 },
        All,
        ("00:00", "24:00"),
        Peak,
    );
    let summer = row(
        Season::Days {
            from: (2, 29),
            to: (8, 31),
        },
        All,
        ("00:00", "24:00"),
        Flat,
    );
    assert_eq!(doubts(winter.clone(), summer), 1);
    let summer = row(
        Season::Months { from: 3, to: 10 },
        All,
        ("00:00", "24:00"),
        Flat,
    );
    assert_eq!(doubts(winter, summer), 0);
    let mut ended = row(YEAR, All, ("00:00", "24:00"), Critical);
    ended.valid = Validity {
        from: Some(0),
        to: Some(0),
    };
    let mut begun = row(YEAR, All, ("00:00", "24:00"), Valley);
    begun.valid.from = Some(0);
    assert_eq!(doubts(ended, begun), 0);
    let days = |list: &[&str], level| {
        row(
            YEAR,
            Dates(list.iter().map(|d| date(d)).collect()),
            ("00:00", "24:00"),
            level,
        )
    };
    assert_eq!(
        doubts(days(&["2026-07-01"], Peak), days(&["2026-07-02"], Flat)),
        0
    );
    assert_eq!(
        doubts(
            days(&["2026-07-01"], Peak),
            days(&["2026-07-02", "2026-07-01"], Flat)
        ),
        1
    );
}

proptest! {
    // Invariant 3: the order of rows decides nothing, and every instant has a level.
    #[test]
    fn order_of_rows_decides_nothing(
        slots in prop::collection::vec((0u32..1440, 1u32..=1440, 0usize..5, 0usize..5), 1..12),
        at in 1_700_000_000_000i64..1_900_000_000_000,
    ) {
        let kinds = [All, Workday, Weekend, DayKind::Holiday, Dates(vec!["2026-07-01".parse().unwrap()])];
        let levels = [Critical, Peak, Flat, Valley, DeepValley];
        let rows: Vec<TariffRow> = slots
            .into_iter()
            .map(|(start, end, kind, level)| TariffRow {
                slot: (start, end),
                ..row(YEAR, kinds[kind].clone(), ("00:00", "24:00"), levels[level])
            })
            .collect();
        let facts = Facts { tariffs: rows.clone(), ..Facts::default() };
        let backwards = Facts { tariffs: rows.into_iter().rev().collect(), ..Facts::default() };
        let (a, doubts) = Tariffs::new(&facts);
        let (b, same) = Tariffs::new(&backwards);
        let slot = a.at("bj", SHANGHAI, None, at);
        prop_assert!(slot.is_some());
        prop_assert_eq!(slot, b.at("bj", SHANGHAI, None, at));
        prop_assert_eq!(doubts, same);
    }
}
