//! The course of a figure as a line without axes: an SVG path from values and gaps.

/// Width and height of the drawing, in its own units.
pub const WIDTH: i128 = 1_000;
pub const HEIGHT: i128 = 240;

/// A path over evenly spaced values from 0 or below to their maximum; a missing value breaks the line. `None` when fewer
/// than two values are there: a single point has no course.
pub fn path(values: &[Option<i128>]) -> Option<String> {
    let known = values.iter().flatten();
    if known.clone().count() < 2 {
        return None;
    }
    let top = known.clone().copied().max().unwrap_or(0).max(0);
    let bottom = known.copied().min().unwrap_or(0).min(0);
    let height = (top - bottom).max(1);
    let steps = i128::try_from(values.len().saturating_sub(1))
        .unwrap_or(1)
        .max(1);
    let mut text = String::new();
    let mut pen_down = false;
    for (index, value) in values.iter().enumerate() {
        let Some(value) = value else {
            pen_down = false;
            continue;
        };
        let x = i128::try_from(index).unwrap_or(0) * WIDTH / steps;
        let y = HEIGHT - (value - bottom) * HEIGHT / height;
        text.push_str(&format!("{}{x} {y}", if pen_down { 'L' } else { 'M' }));
        pen_down = true;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::path;

    fn check(values: &[Option<i128>], expected: Option<&str>) {
        assert_eq!(path(values).as_deref(), expected);
    }

    #[test]
    fn lines_start_at_zero_and_break_at_gaps() {
        check(&[Some(0), Some(5), Some(10)], Some("M0 240L500 120L1000 0"));
        check(
            &[Some(10), None, Some(10), Some(5)],
            Some("M0 0M666 0L1000 120"),
        );
        check(&[Some(-5), Some(5)], Some("M0 240L1000 0"));
        check(&[Some(0), Some(0)], Some("M0 240L1000 240"));
    }

    #[test]
    fn one_point_has_no_course() {
        check(&[None, Some(3)], None);
        check(&[], None);
    }
}
