//! Money in the ledger: whole micro-yuan (1e-6 of the ledger currency, net of deductible VAT), never a float.

/// 1e-6 of the ledger currency.
pub type Micro = i64;

/// 1e-2 of a currency: what statements, prices of assets and depreciation months are rounded to.
pub type Fen = i64;

/// Micro-yuan in one fen.
pub const MICRO_PER_FEN: i64 = 10_000;

/// Micro-yuan in one yuan.
pub const MICRO_PER_YUAN: i64 = 1_000_000;

/// `numerator / denominator` rounded half away from zero; `denominator` must be positive.
///
/// The one rounding of the product outside [`crate::split::apportion`]. `None` on overflow or a denominator of 0.
#[must_use]
pub fn round_half_away(numerator: i128, denominator: i128) -> Option<i64> {
    if denominator <= 0 {
        return None;
    }
    let magnitude = numerator.unsigned_abs();
    let divisor = denominator.unsigned_abs();
    let (quotient, remainder) = (
        magnitude.checked_div(divisor)?,
        magnitude.checked_rem(divisor)?,
    );
    let up = remainder >= divisor.checked_sub(remainder)?;
    let rounded = i128::try_from(quotient.checked_add(u128::from(up))?).ok()?;
    let signed = if numerator < 0 {
        rounded.checked_neg()?
    } else {
        rounded
    };
    i64::try_from(signed).ok()
}

#[cfg(test)]
mod tests {
    use super::round_half_away;

    #[test]
    fn rounds_half_away_from_zero() {
        let check = |n, d, expected| assert_eq!(round_half_away(n, d), expected, "{n}/{d}");
        check(5, 10, Some(1));
        check(4, 10, Some(0));
        check(-5, 10, Some(-1));
        check(-4, 10, Some(0));
        check(15, 10, Some(2));
        check(25, 10, Some(3));
        check(1, 3, Some(0));
        check(2, 3, Some(1));
        check(7, 1, Some(7));
        check(1, 0, None);
        check(i128::MAX, 1, None);
    }
}
