//! The reasons in English.

use super::{Expected, Reason};

#[allow(
    clippy::too_many_lines,
    reason = "one arm a reason, so that none is forgotten"
)]
pub fn text(reason: &Reason) -> String {
    match reason {
        Reason::Malformed { given, expected } => malformed(given, *expected),
        Reason::TooManyDigits { given } => format!(
            "`{given}` has more digits than can be kept exactly (18 before and 18 after the point)"
        ),
        Reason::NotInRange {
            given,
            least,
            most: Some(most),
        } => format!("`{given}` is not from {least} to {most}"),
        Reason::NotInRange {
            given,
            least,
            most: None,
        } => format!("`{given}` is not a number of {least} or more"),
        Reason::NotWhole {
            given,
            least: Some(least),
        } => format!("`{given}` is not a whole number of {least} or more"),
        Reason::NotWhole { given, least: None } => format!("`{given}` is not a whole number"),
        Reason::NotAboveZero => "must be above 0".to_owned(),
        Reason::YearOutOfRange { given } => format!(
            "`{given}` is outside the years 2000 to 2099 (leave the cell empty for an open end)"
        ),
        Reason::NoOffset { given } => format!(
            "`{given}` has no offset: write `+08:00` behind it, or `zone = \"Asia/Shanghai\"` in facts.toml beside the file"
        ),
        Reason::TooLong { bytes } => format!("is longer than {bytes} bytes"),
        Reason::NotOneOf {
            given,
            known,
            nearest,
        } => {
            let near = nearest
                .as_ref()
                .map(|nearest| format!("; the nearest is `{nearest}`"))
                .unwrap_or_default();
            format!("`{given}` is not one of {}{near}", known.join(", "))
        }
        Reason::ReservedName { given } => {
            format!("`{given}` is kept for what no project bears; give the project another name")
        }
        Reason::UnknownMatchKey {
            given,
            known,
            nearest,
        } => format!(
            "`{given}` is no key to match by; the nearest is `{nearest}` (known: {})",
            known.join(", ")
        ),
        Reason::ProjectTwice { project } => format!("project `{project}` is named twice"),
        Reason::PercentsAboveWhole => "the percents sum to more than 100".to_owned(),

        Reason::Missing => "is missing".to_owned(),
        Reason::CellCount { cells, header } => {
            format!("has {cells} cells, the header has {header}")
        }
        Reason::NotText => "is not text".to_owned(),
        Reason::SeveralLines => {
            "a quoted cell goes on over several lines: is a quote before it not closed?".to_owned()
        }
        Reason::Before { other } => format!("is before `{other}`"),
        Reason::NotAfter { other } => format!("is not after `{other}`"),
        Reason::OneOfTwo { one, other } => {
            format!("exactly one of `{one}` and `{other}` is needed")
        }
        Reason::NeitherGiven { one, other } => format!("neither `{one}` nor `{other}` is given"),
        Reason::WeightsNeeded { policy } => {
            format!("policy `{policy}` needs `project:percent;…`")
        }
        Reason::WeightsNotTaken { policy } => format!("only policy `{policy}` has weights"),
        Reason::DifferentValues { key, lines } => format!(
            "`{key}` stands with different values in lines {}",
            numbers(lines)
        ),
        Reason::LevelClash { line } => format!("line {line} gives the same time another level"),

        Reason::OutsideFraction => "outside 0 to 1.0050".to_owned(),
        Reason::Negative => "negative".to_owned(),
        Reason::AbovePossible => "above what such a value can be".to_owned(),
        Reason::NoReading => "no value of a counter".to_owned(),
        Reason::NotFinite => "not a number (NaN or infinite)".to_owned(),
        Reason::AbovePower => {
            "above twice the model's TDP (3 kW when that is unknown), not used".to_owned()
        }

        Reason::EmptyFile => "is empty: not even a header".to_owned(),
        Reason::HeaderNotText => "the header is not text".to_owned(),
        Reason::QuoteNotClosed => {
            "the file ends inside a quoted cell that begins here: close the quote".to_owned()
        }
        Reason::RecordTooLong => {
            "the record that begins here is longer than 1 MiB (a quote that is not closed?)"
                .to_owned()
        }
        Reason::CannotBeRead { cause } => format!("cannot be read: {cause}"),
        Reason::Utf16 => "is UTF-16; save it as UTF-8 (in a spreadsheet: \"CSV UTF-8\")".to_owned(),
        Reason::NulByte => {
            "holds a NUL byte: it is no text (or UTF-16); save it as UTF-8".to_owned()
        }
        Reason::UnknownEncoding => "is neither UTF-8 nor GBK; save it as UTF-8".to_owned(),
        Reason::ColumnTwice { column } => format!("column `{column}` stands twice"),
        Reason::UnknownColumn {
            column,
            kind,
            nearest,
            known,
        } => {
            let hint = match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("known are {}", known.join(", ")),
            };
            format!("unknown column `{column}` for {kind}; {hint}")
        }
        Reason::MissingColumns { kind, columns } => {
            let noun = if columns.len() == 1 {
                "column"
            } else {
                "columns"
            };
            format!("missing {noun} {} for {kind}", columns.join(", "))
        }
        Reason::HeaderOfSeveral { kinds } => format!(
            "the header fits {}; say which with --format",
            kinds.join(" and ")
        ),
        Reason::HeaderNearly {
            kind,
            unknown,
            missing,
        } => {
            let lacks = [("does not know", unknown), ("needs", missing)]
                .into_iter()
                .filter(|(_, columns)| !columns.is_empty())
                .map(|(verb, columns)| format!("{verb} {}", quoted(columns)))
                .collect::<Vec<_>>();
            format!(
                "the header is of no fact file; the nearest is {kind}, which {}",
                lacks.join(" and ")
            )
        }
        Reason::HeaderOfNothing { first } => {
            format!("the header is of no fact file (its first column is `{first}`)")
        }
        Reason::NoRegularFile => "is no regular file".to_owned(),
        Reason::ChangedWhileRead => {
            "changed while it was read; import it when nobody writes to it".to_owned()
        }
        Reason::NestedArchive => "is an archive inside an archive; unpack it first".to_owned(),
        Reason::UnfoldsTooFar { times } => format!(
            "unfolds to more than {times} times its packed size; it is not read (unpack it by hand if it is right)"
        ),
        Reason::NotToml { cause } => format!("is no TOML: {cause}"),
        Reason::UnknownSetting { key } => format!("unknown key `{key}`; did you mean `zone`?"),
        Reason::FolderUnread => "nothing beside it is read".to_owned(),

        Reason::ImportedBefore => "imported before, not read again".to_owned(),
        Reason::NotYetRead => "no rule reads this file yet; its rows are only counted".to_owned(),
        Reason::RowsRemoved { rows: 1 } => {
            "1 stored row that is no longer named was removed".to_owned()
        }
        Reason::RowsRemoved { rows } => {
            format!("{rows} stored rows that are no longer named were removed")
        }
        Reason::CountsAsRead { sites, from, to } => format!(
            "no coverage.csv: the scheduler counts as read at {} from {from} to {to}",
            sites.join(", ")
        ),
    }
}

fn malformed(given: &str, expected: Expected) -> String {
    let right = match expected {
        Expected::Time => "is no time: write `2026-07-31T08:00:00+08:00`",
        Expected::Date => "is no date: write `2026-07-31`",
        Expected::Month => "is no month: write `2026-07`",
        Expected::Currency => "is no currency code such as `CNY`",
        Expected::Decimal => {
            "is not a decimal number: write `1234.56`, without separators and units"
        }
        Expected::Seconds => "is not above 0 and at most a day (86400)",
        Expected::Share => "is no share: write `1`, `k/n` or a decimal above 0 and at most 1",
        Expected::Season => "is no season: write `1-12`, `11-2` or `06-15..09-15`",
        Expected::Days => "is not all, workday, weekend, holiday or a list of dates",
        Expected::Slot => "is no slot: write `08:00-11:30`, `22:00-06:00` or `00:00-24:00`",
        Expected::Zone => "is no time zone such as `Asia/Shanghai`",
        Expected::Label => "is not `key=value`",
        Expected::Weight => "is not `project:percent` with a percent of 0 or more",
        Expected::Condition => "is no condition: write `key=value` or `key~glob`",
    };
    format!("`{given}` {right}")
}

fn numbers(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

fn quoted(names: &[String]) -> String {
    let texts: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    texts.join(", ")
}
