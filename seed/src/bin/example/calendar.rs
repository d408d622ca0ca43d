//! The two months as hours 0 to 1463, in Beijing time: October and November 2026.

pub const OCTOBER_DAYS: u32 = 31;
/// The end of the second month, exclusive.
pub const HOURS: u32 = (OCTOBER_DAYS + 30) * 24;

/// The hour of a day of October.
pub const fn october(day: u32, hour: u32) -> u32 {
    (day - 1) * 24 + hour
}

/// The hour of a day of November.
pub const fn november(day: u32, hour: u32) -> u32 {
    (OCTOBER_DAYS + day - 1) * 24 + hour
}

pub const fn hour_of_day(hour: u32) -> u32 {
    hour % 24
}

pub const fn is_october(hour: u32) -> bool {
    hour < OCTOBER_DAYS * 24
}

/// 1 October 2026 is a Thursday.
pub const fn is_weekday(hour: u32) -> bool {
    (hour / 24 + 3) % 7 < 5
}

/// RFC 3339 in Beijing time.
pub fn time(hour: u32, minute: u32) -> String {
    let day = hour / 24;
    let (month, day) = if day < OCTOBER_DAYS {
        (10, day + 1)
    } else if day < OCTOBER_DAYS + 30 {
        (11, day - OCTOBER_DAYS + 1)
    } else {
        (12, day - OCTOBER_DAYS - 29)
    };
    format!(
        "2026-{month:02}-{day:02}T{:02}:{minute:02}:00+08:00",
        hour_of_day(hour)
    )
}

#[cfg(test)]
mod tests {
    use super::{HOURS, is_weekday, november, october, time};

    #[test]
    fn hours_are_named_as_the_calendar_names_them() {
        assert_eq!(time(0, 0), "2026-10-01T00:00:00+08:00");
        assert_eq!(time(october(31, 23), 59), "2026-10-31T23:59:00+08:00");
        assert_eq!(time(november(1, 0), 0), "2026-11-01T00:00:00+08:00");
        assert_eq!(time(HOURS, 0), "2026-12-01T00:00:00+08:00");
        assert!(
            is_weekday(october(5, 0)) && !is_weekday(october(3, 0)) && !is_weekday(november(1, 0))
        );
    }
}
