//! Texts with `{name}` placeholders, filled; without a space where Chinese meets Chinese.

/// A text with its `{name}` placeholders replaced; an unknown name stays out.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for part in parts(template) {
        match part {
            Part::Text(plain) => append(&mut text, plain),
            Part::Name(name) => {
                let value = values.iter().find(|(one, _)| *one == name);
                append(&mut text, value.map_or("", |(_, value)| value));
            }
        }
    }
    text
}

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    Text(&'a str),
    Name(&'a str),
}

/// A template's texts and `{name}`s, in order.
pub fn parts(template: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        found.extend([Part::Text(before), Part::Name(name)]);
        rest = after;
    }
    found.push(Part::Text(rest));
    found.retain(|part| *part != Part::Text(""));
    found
}

/// Adds to a text. Templates have a space where a figure meets a word; between two Chinese characters (`万元 无法判定`)
/// there is none.
fn append(text: &mut String, more: &str) {
    text.push_str(joined(text, more));
}

/// What of `more` is written after `text`: without its space where Chinese meets Chinese.
pub fn joined<'a>(text: &str, more: &'a str) -> &'a str {
    match more.strip_prefix(' ') {
        Some(rest) if text.ends_with(is_chinese) && rest.starts_with(is_chinese) => rest,
        _ => more,
    }
}

fn is_chinese(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled() {
        assert_eq!(
            fill("{a} of {b}, {a}", &[("a", "1"), ("b", "2")]),
            "1 of 2, 1"
        );
    }

    #[test]
    fn between_chinese_characters_stands_no_space() {
        let check = |value: &str, expected: &str| {
            assert_eq!(
                fill("另有 {hours} 卡时未定价", &[("hours", value)]),
                expected
            );
        };
        check("402.5\u{a0}万", "另有 402.5\u{a0}万卡时未定价");
        check("842", "另有 842 卡时未定价");
    }
}
