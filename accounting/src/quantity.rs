//! Exact numbers read from text: decimals, rationals, fractions in 1e-4 and shares of a device.
//!
//! Nothing here passes through a float. A decimal keeps every digit it was written with; a price with VAT becomes a
//! rational because dividing by 1.13 does not end.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "sizes are bounded when text is read: at most 18 digits before and 12 after the point"
)]

use thiserror::Error;

/// An exact rational, reduced, with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    pub num: i128,
    pub den: i128,
}

/// Why a text is no number.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NumberError {
    #[error("`{0}` is not a decimal number")]
    NotADecimal(String),
    #[error("`{0}` has more digits than can be kept exactly (18 before and 12 after the point)")]
    TooManyDigits(String),
    #[error("`{0}` is out of range: {1}")]
    OutOfRange(String, &'static str),
}

impl Rational {
    pub const ZERO: Self = Self { num: 0, den: 1 };
    pub const ONE: Self = Self { num: 1, den: 1 };

    /// `num / den`, reduced; `None` when `den` is 0.
    #[must_use]
    pub fn new(num: i128, den: i128) -> Option<Self> {
        if den == 0 {
            return None;
        }
        let (num, den) = if den < 0 {
            (num.checked_neg()?, den.checked_neg()?)
        } else {
            (num, den)
        };
        let divisor = gcd(num.unsigned_abs(), den.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?.max(1);
        Some(Self {
            num: num / divisor,
            den: den / divisor,
        })
    }

    #[must_use]
    pub fn whole(value: i64) -> Self {
        Self {
            num: i128::from(value),
            den: 1,
        }
    }

    /// Exact product; `None` on overflow.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        // Reduced crosswise first, so that a product that fits is never refused.
        let a = Self::new(self.num, other.den)?;
        let b = Self::new(other.num, self.den)?;
        Self::new(a.num.checked_mul(b.num)?, a.den.checked_mul(b.den)?)
    }

    /// Exact quotient; `None` on overflow or division by 0.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        self.times(Self::new(other.den, other.num)?)
    }

    /// Exact sum; `None` on overflow.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.num.checked_mul(other.den)?;
        let right = other.num.checked_mul(self.den)?;
        Self::new(left.checked_add(right)?, self.den.checked_mul(other.den)?)
    }

    /// The nearest whole number, half away from zero; `None` when it does not fit.
    #[must_use]
    pub fn round(self) -> Option<i64> {
        crate::money::round_half_away(self.num, self.den)
    }

    /// `self × 10^places`, rounded half away from zero.
    #[must_use]
    pub fn scaled(self, places: u32) -> Option<i64> {
        Self {
            num: self.num.checked_mul(10i128.checked_pow(places)?)?,
            den: self.den,
        }
        .round()
    }

    #[must_use]
    pub fn is_negative(self) -> bool {
        self.num < 0
    }

    #[must_use]
    pub fn compare(self, other: Self) -> Option<std::cmp::Ordering> {
        let left = self.num.checked_mul(other.den)?;
        let right = other.num.checked_mul(self.den)?;
        Some(left.cmp(&right))
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Reads a plain or E-notation decimal exactly: `0.7342`, `-12.30`, `1e-4`. No thousands separators, no `+`, no NaN.
///
/// # Errors
/// When the text is no decimal, or has more digits than can be kept.
pub fn decimal(text: &str) -> Result<Rational, NumberError> {
    let bad = || NumberError::NotADecimal(text.chars().take(40).collect());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| bad())?),
        None => (text, 0),
    };
    let (negative, digits) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty()
        || !whole
            .bytes()
            .chain(fraction.bytes())
            .all(|b| b.is_ascii_digit())
    {
        return Err(bad());
    }
    let many = || NumberError::TooManyDigits(text.chars().take(40).collect());
    let fraction = fraction.trim_end_matches('0');
    let places = i32::try_from(fraction.len())
        .ok()
        .and_then(|digits| digits.checked_sub(exponent))
        .ok_or_else(many)?;
    if whole.trim_start_matches('0').len() > 18
        || fraction.len() > 18
        || !(-18..=30).contains(&places)
    {
        return Err(many());
    }
    let mut num: i128 = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        num = num
            .checked_mul(10)
            .and_then(|n| n.checked_add(i128::from(digit - b'0')))
            .ok_or_else(many)?;
    }
    if negative {
        num = -num;
    }
    let (num, den) = if places >= 0 {
        (num, 10i128.pow(places.unsigned_abs()))
    } else {
        (
            num.checked_mul(10i128.pow(places.unsigned_abs()))
                .ok_or_else(many)?,
            1,
        )
    };
    Rational::new(num, den).ok_or_else(many)
}

/// A value in 1e-4, read half up; the scale of every fraction (G, S, T, D, share of time …).
pub type Fraction = i64;

/// One whole in the scale of [`Fraction`].
pub const WHOLE: Fraction = 10_000;

/// Reads a fraction: 0–1.0050, above 1 limited to 1, in 1e-4 half up.
///
/// # Errors
/// When the text is no decimal or outside the range: the value is dropped and counted, never stored.
pub fn fraction(text: &str) -> Result<Fraction, NumberError> {
    let value = decimal(text)?;
    let out =
        || NumberError::OutOfRange(text.chars().take(40).collect(), "a fraction is 0 to 1.0050");
    let limit = Rational {
        num: 10_050,
        den: 10_000,
    };
    if value.is_negative() || value.compare(limit).is_none_or(std::cmp::Ordering::is_gt) {
        return Err(out());
    }
    // Half up and half away from zero are the same for what is not negative.
    Ok(value.scaled(4).ok_or_else(out)?.min(WHOLE))
}

/// The share of a device a placement holds, as numerator and denominator, so that k/7 stays k/7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Share {
    pub num: i64,
    pub den: i64,
}

/// Shares at an instant are integers over this: 2520·10^4, which k/n divides exactly for every n up to 10.
pub const SHARE_UNITS: i64 = 25_200_000;

impl Share {
    pub const WHOLE: Self = Self { num: 1, den: 1 };

    /// In [`SHARE_UNITS`], rounded half away from zero where the denominator does not divide them.
    #[must_use]
    pub fn units(self) -> i64 {
        crate::money::round_half_away(
            i128::from(self.num) * i128::from(SHARE_UNITS),
            i128::from(self.den).max(1),
        )
        .unwrap_or(0)
    }
}

/// Reads `1`, `k/n` or a decimal share.
///
/// # Errors
/// When it is neither, or not above 0 and at most 1.
pub fn share(text: &str) -> Result<Share, NumberError> {
    let out = || {
        NumberError::OutOfRange(
            text.chars().take(40).collect(),
            "a share is above 0 and at most 1",
        )
    };
    let bad = || NumberError::NotADecimal(text.chars().take(40).collect());
    let (num, den) = match text.split_once('/') {
        Some((k, n)) => (
            k.trim().parse().map_err(|_| bad())?,
            n.trim().parse().map_err(|_| bad())?,
        ),
        None => {
            let value = decimal(text)?;
            (
                i64::try_from(value.num).map_err(|_| out())?,
                i64::try_from(value.den).map_err(|_| out())?,
            )
        }
    };
    if num <= 0 || den <= 0 || num > den {
        return Err(out());
    }
    Ok(Share { num, den })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let check =
            |text: &str, num, den| assert_eq!(decimal(text), Ok(Rational { num, den }), "{text}");
        check("0.7342", 3671, 5000);
        check("-12.30", -123, 10);
        check("1e-4", 1, 10_000);
        check("9.5E2", 950, 1);
        check("0", 0, 1);
        check("000.100", 1, 10);
        for bad in [
            "", ".", "-", "1,000", "+1", "NaN", "inf", "1e", "0x10", "1.2.3", " 1", "١",
        ] {
            assert!(decimal(bad).is_err(), "{bad}");
        }
        for long in ["1e400", "1e-2147483648", "1e2147483647"] {
            assert!(
                matches!(decimal(long), Err(NumberError::TooManyDigits(_))),
                "{long}"
            );
        }
    }

    #[test]
    fn fractions_have_a_range() {
        assert_eq!(fraction("0.372"), Ok(3720));
        assert_eq!(fraction("0.00005"), Ok(1));
        assert_eq!(fraction("1.0050"), Ok(WHOLE));
        for bad in ["1.0051", "-0.1", "140737488355328", "9223372036854775794"] {
            assert!(fraction(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shares_keep_their_denominator() {
        assert_eq!(share("3/7").unwrap().units(), 10_800_000);
        assert_eq!(share("0.46").unwrap().units(), 11_592_000);
        assert_eq!(share("1").unwrap(), Share::WHOLE);
        for bad in ["0", "0/7", "8/7", "-1", "1/0", "a", "1/2/3"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn rationals_stay_reduced() {
        let net = decimal("678000")
            .unwrap()
            .over(decimal("1.13").unwrap())
            .unwrap();
        assert_eq!(net, Rational::whole(600_000));
        assert_eq!(
            decimal("1.4105")
                .unwrap()
                .over(decimal("1.13").unwrap())
                .unwrap(),
            Rational {
                num: 2821,
                den: 2260
            }
        );
        assert_eq!(Rational::new(1, 0), None);
        assert_eq!(
            Rational { num: 1, den: 2 }.plus(Rational { num: 1, den: 3 }),
            Some(Rational { num: 5, den: 6 })
        );
    }
}
