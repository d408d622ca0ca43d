//! The reasons in Chinese.

use super::{Expected, Reason};

#[allow(
    clippy::too_many_lines,
    reason = "one arm a reason, so that none is forgotten"
)]
pub fn text(reason: &Reason) -> String {
    match reason {
        Reason::Malformed { given, expected } => malformed(given, *expected),
        Reason::TooManyDigits { given } => {
            format!("`{given}` 位数过多，无法精确保存（小数点前后各不超过 18 位）")
        }
        Reason::NotInRange {
            given,
            least,
            most: Some(most),
        } => format!("`{given}` 不在 {least} 到 {most} 之间"),
        Reason::NotInRange {
            given,
            least,
            most: None,
        } => format!("`{given}` 应为不小于 {least} 的数"),
        Reason::NotWhole {
            given,
            least: Some(least),
        } => format!("`{given}` 应为不小于 {least} 的整数"),
        Reason::NotWhole { given, least: None } => format!("`{given}` 应为整数"),
        Reason::NotAboveZero => "应大于 0".to_owned(),
        Reason::YearOutOfRange { given } => {
            format!("`{given}` 不在 2000 至 2099 年之间（没有结束时间请留空）")
        }
        Reason::NoOffset { given } => format!(
            "`{given}` 没有时区偏移：请在其后写 `+08:00`，或在同一文件夹的 facts.toml 中写 `zone = \"Asia/Shanghai\"`"
        ),
        Reason::TooLong { bytes } => format!("超过 {bytes} 字节"),
        Reason::NotOneOf {
            given,
            known,
            nearest,
        } => {
            let near = nearest
                .as_ref()
                .map(|nearest| format!("；最接近的是 `{nearest}`"))
                .unwrap_or_default();
            format!("`{given}` 不在可选值（{}）之列{near}", known.join("、"))
        }
        Reason::ReservedName { given } => {
            format!("`{given}` 是保留名称，用于不归任何项目的费用；请为项目另取名称")
        }
        Reason::UnknownMatchKey {
            given,
            known,
            nearest,
        } => format!(
            "不能按 `{given}` 匹配；最接近的是 `{nearest}`（可用：{}）",
            known.join("、")
        ),
        Reason::ProjectTwice { project } => format!("项目 `{project}` 出现两次"),
        Reason::PercentsAboveWhole => "各项百分比之和超过 100".to_owned(),

        Reason::Missing => "没有填写".to_owned(),
        Reason::CellCount { cells, header } => {
            format!("有 {cells} 个单元格，表头有 {header} 列")
        }
        Reason::NotText => "不是文本".to_owned(),
        Reason::SeveralLines => "引号内的单元格跨了多行：前面是否有引号没有闭合？".to_owned(),
        Reason::Before { other } => format!("早于 `{other}`"),
        Reason::NotAfter { other } => format!("应晚于 `{other}`"),
        Reason::OneOfTwo { one, other } => format!("`{one}` 与 `{other}` 须填且只填一个"),
        Reason::NeitherGiven { one, other } => {
            format!("`{one}` 与 `{other}` 都没有填写，至少填一个")
        }
        Reason::WeightsNeeded { policy } => {
            format!("分摊方式 `{policy}` 需要写明比例 `project:percent;…`")
        }
        Reason::WeightsNotTaken { policy } => format!("只有分摊方式 `{policy}` 使用比例"),
        Reason::DifferentValues { key, lines } => {
            format!("`{key}` 在第 {} 行的值互不相同", numbers(lines))
        }
        Reason::LevelClash { line } => format!("第 {line} 行给同一时间定了另一电价等级"),

        Reason::OutsideFraction => "不在 0 至 1.0050 之间".to_owned(),
        Reason::Negative => "为负数".to_owned(),
        Reason::AbovePossible => "超出这类数值的可能范围".to_owned(),
        Reason::NoReading => "不是计数器的读数".to_owned(),
        Reason::NotFinite => "不是数值（NaN 或无穷大）".to_owned(),
        Reason::AbovePower => "超过型号额定功率（TDP）的两倍（未知时为 3 kW），不予采用".to_owned(),

        Reason::EmptyFile => "是空文件，没有表头".to_owned(),
        Reason::HeaderNotText => "表头不是文本".to_owned(),
        Reason::QuoteNotClosed => "文件在此处开始的引号单元格内结束：请闭合引号".to_owned(),
        Reason::RecordTooLong => "从此处开始的记录超过 1 MiB（可能有引号没有闭合）".to_owned(),
        Reason::CannotBeRead { cause } => format!("无法读取：{cause}"),
        Reason::Utf16 => "是 UTF-16 编码；请另存为 UTF-8（电子表格中选“CSV UTF-8”）".to_owned(),
        Reason::NulByte => "含有 NUL 字节，不是文本（也可能是 UTF-16）；请另存为 UTF-8".to_owned(),
        Reason::UnknownEncoding => "既不是 UTF-8 也不是 GBK；请另存为 UTF-8".to_owned(),
        Reason::ColumnTwice { column } => format!("列 `{column}` 出现两次"),
        Reason::UnknownColumn {
            column,
            kind,
            nearest,
            known,
        } => {
            let hint = match nearest {
                Some(nearest) => format!("是否应为 `{nearest}`？"),
                None => format!("已有的列：{}", known.join("、")),
            };
            format!("{kind} 没有 `{column}` 这一列；{hint}")
        }
        Reason::MissingColumns { kind, columns } => {
            format!("{kind} 缺少必需的列：{}", columns.join("、"))
        }
        Reason::HeaderOfSeveral { kinds } => format!(
            "表头同时符合 {}；请用 --format 指明是哪一种",
            kinds.join("、")
        ),
        Reason::HeaderNearly {
            kind,
            unknown,
            missing,
        } => {
            let lacks = [("没有列", unknown), ("还需要列", missing)]
                .into_iter()
                .filter(|(_, columns)| !columns.is_empty())
                .map(|(verb, columns)| format!("{verb} {}", quoted(columns)))
                .collect::<Vec<_>>();
            format!(
                "表头不属于任何一种事实文件；最接近的是 {kind}，它{}",
                lacks.join("，")
            )
        }
        Reason::HeaderOfNothing { first } => {
            format!("表头不属于任何一种事实文件（第一列是 `{first}`）")
        }
        Reason::NoRegularFile => "不是普通文件".to_owned(),
        Reason::ChangedWhileRead => "读取期间内容有变化；请在无人写入时重新导入".to_owned(),
        Reason::NestedArchive => "是压缩包里的压缩包；请先解开".to_owned(),
        Reason::UnfoldsTooFar { times } => {
            format!("解开后超过压缩大小的 {times} 倍，没有读取（若文件无误，请手工解开）")
        }
        Reason::NotToml { cause } => format!("不是 TOML：{cause}"),
        Reason::UnknownSetting { key } => format!("没有 `{key}` 这个键；是否应为 `zone`？"),
        Reason::FolderUnread => "同一文件夹中的文件均未读取".to_owned(),

        Reason::ImportedBefore => "以前已导入，没有重读".to_owned(),
        Reason::NotYetRead => "目前没有规则读取此类文件，只统计行数".to_owned(),
        Reason::RowsRemoved { rows } => format!("删除了 {rows} 行不再列出的已存数据"),
        Reason::CountsAsRead { sites, from, to } => format!(
            "没有 coverage.csv：{} 自 {from} 至 {to} 视为已读取调度记录",
            sites.join("、")
        ),
    }
}

fn malformed(given: &str, expected: Expected) -> String {
    let right = match expected {
        Expected::Time => "不是时间：请写成 `2026-07-31T08:00:00+08:00`",
        Expected::Date => "不是日期：请写成 `2026-07-31`",
        Expected::Month => "不是月份：请写成 `2026-07`",
        Expected::Currency => "不是货币代码：请写成 `CNY` 这样的三个大写字母",
        Expected::Decimal => "不是十进制数：请写成 `1234.56`，不带千分位和单位",
        Expected::Seconds => "应大于 0，且不超过一天（86400）",
        Expected::Share => "不是份额：请写成 `1`、`k/n` 或小数，大于 0 且不超过 1",
        Expected::Season => "不是月份或日期的区间：请写成 `1-12`、`11-2` 或 `06-15..09-15`",
        Expected::Days => "不是 all、workday、weekend、holiday，也不是一组日期",
        Expected::Slot => "不是时段：请写成 `08:00-11:30`、`22:00-06:00` 或 `00:00-24:00`",
        Expected::Zone => "不是时区：请写成 `Asia/Shanghai` 这样的名称",
        Expected::Label => "不是标签：请写成 `key=value`",
        Expected::Weight => "不是分摊比例：请写成 `project:percent`，百分比不小于 0",
        Expected::Condition => "不是条件：请写成 `key=value` 或 `key~glob`",
    };
    format!("`{given}` {right}")
}

fn numbers(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join("、")
}

fn quoted(names: &[String]) -> String {
    let texts: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    texts.join("、")
}
