//! Money on the wire: an exact decimal string, so that no reader in between turns it into a float.

use serde::{Deserialize, Serialize};

/// An amount of the ledger currency with six decimals, e.g. `"18.000000"`; the currency stands beside it in the answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Yuan(pub String);

impl Yuan {
    /// From whole micro-yuan (1e-6 of the ledger currency).
    #[must_use]
    pub fn from_micro(micro: i64) -> Self {
        let sign = if micro < 0 { "-" } else { "" };
        let magnitude = micro.unsigned_abs();
        Self(format!(
            "{sign}{}.{:06}",
            magnitude / 1_000_000,
            magnitude % 1_000_000
        ))
    }

    /// Whole micro-yuan, or `None` when the text is no decimal with at most six places.
    #[must_use]
    pub fn micro(&self) -> Option<i64> {
        let (negative, digits) = match self.0.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, self.0.as_str()),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty()
            || fraction.len() > 6
            || !whole
                .bytes()
                .chain(fraction.bytes())
                .all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let micro = format!("{whole}{fraction:0<6}").parse::<i64>().ok()?;
        Some(if negative { -micro } else { micro })
    }
}

#[cfg(test)]
mod tests {
    use super::Yuan;

    #[test]
    fn round_trips_exactly() {
        for micro in [0, 1, -1, 999_999, 1_000_000, -18_000_001, i64::MAX] {
            assert_eq!(Yuan::from_micro(micro).micro(), Some(micro));
        }
        assert_eq!(Yuan("1.5".into()).micro(), Some(1_500_000));
        for bad in ["", ".", "1.0000001", "1e3", "--1", "1,0"] {
            assert_eq!(Yuan(bad.into()).micro(), None, "{bad}");
        }
    }
}
