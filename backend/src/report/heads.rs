//! The heads of tables at the terminal, in the reader's language. CSV and JSON keep the names.

use api::Language;

/// A column's head; in English it is the column's name.
pub fn head(name: &str, language: Language) -> &str {
    match language {
        Language::English => name,
        Language::Chinese => chinese(name).unwrap_or(name),
    }
}

fn chinese(name: &str) -> Option<&'static str> {
    let head = match name {
        "category" => "类别",
        "component" => "成本构成",
        "cost_center" => "成本中心",
        "coverage" => "数据覆盖",
        "currency" => "货币",
        "day" => "日",
        "device_hours" => "卡时",
        "kind" => "类型",
        "mode" => "证据",
        "model" => "型号",
        "month" => "月",
        "node" => "节点",
        "period" => "时段",
        "person" => "人员",
        "pool" => "成本池",
        "previous" => "前一时段",
        "project" => "项目",
        "reason" => "原因",
        "scope" => "范围",
        "scope_kind" => "范围类型",
        "share" => "占其成本",
        "site" => "站点",
        "status" => "状态",
        "team" => "团队",
        "unit" => "单位",
        "value" => "数值",
        "week" => "周",
        "who_can_fix" => "谁能处理",
        "workload" => "任务",
        "yuan" => "金额",
        _ => return None,
    };
    Some(head)
}

#[cfg(test)]
mod tests {
    use api::Yuan;
    use api::query::{About, Query, QueryAnswer};
    use api::waste::WasteAnswer;

    use super::*;
    use crate::report::{query, waste};
    use crate::store::query::question::Key;

    #[test]
    fn every_column_has_a_chinese_head() {
        let about = About {
            currency: "CNY".to_owned(),
            zone: "Asia/Shanghai".to_owned(),
            as_of: None,
            status: None,
            coverage: None,
        };
        let asked = query::table(&QueryAnswer {
            query: Query {
                group_by: Key::ALL.iter().map(|key| key.name().to_owned()).collect(),
                ..Query::default()
            },
            unit: String::new(),
            rows: Vec::new(),
            about: about.clone(),
        });
        let ranked = waste::table(&WasteAnswer {
            from: String::new(),
            to: String::new(),
            compare_from: None,
            compare_to: None,
            not_compared: None,
            entries: Vec::new(),
            unknown: Vec::new(),
            total: Yuan::from_micro(0),
            about,
        });
        let mut heads = std::collections::BTreeMap::new();
        for column in asked.columns.iter().chain(&ranked.columns) {
            let found = chinese(&column.name);
            assert!(found.is_some(), "{}", column.name);
            if let Some(other) = heads.insert(found, &column.name) {
                assert_eq!(other, &column.name, "{found:?} heads two columns");
            }
            assert_eq!(head(&column.name, Language::English), column.name);
        }
    }
}
