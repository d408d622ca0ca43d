//! Why a question cannot be answered, in both languages.

use strsim::damerau_levenshtein;
use thiserror::Error;

use crate::language::Bilingual;

/// `field` is the parameter at fault.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: {why}")]
pub struct QuestionError {
    pub field: &'static str,
    pub why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Why {
    #[error("must be after `from`; the range is half-open")]
    EmptyRange,
    #[error("`{0}` is no day; write YYYY-MM-DD")]
    NoDay(String),
    /// `kind` is a metric, a key, or the key whose values are a closed list.
    #[error("unknown {kind} `{given}`{}", nearest.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        kind: &'static str,
        given: String,
        nearest: Option<String>,
    },
    #[error("`{0}` is not available yet: it needs bills, which are not read yet")]
    NeedsBills(String),
    #[error("`{0}` is not available: it needs recomputed FLOPs, which work rows do not report yet")]
    NeedsRecomputed(String),
    #[error(
        "`{0}` is not available: it needs a split of prefill and decode, which is not accounted yet"
    )]
    NeedsPhases(String),
    #[error("`{0}` is not available: it is not accounted yet")]
    NotAccounted(String),
    #[error(
        "`{0}` is not available: ask for flop_per_joule.server or flop_per_joule.facility: the books keep energy with the host's share"
    )]
    HostIncluded(String),
    #[error("`{0}` cannot be filtered by; use from and to")]
    NoFilter(&'static str),
    #[error("{metric} is not known by `{key}`; it is by {}", keys.join(", "))]
    NotBy {
        metric: String,
        key: &'static str,
        keys: Vec<&'static str>,
    },
    #[error(
        "the books keep categories as time cost and electricity: with categories, the only component to filter by is electricity"
    )]
    OnlyElectricity,
    #[error("{0} is allocated month by month: give the first of a month")]
    WholeMonths(String),
    #[error("{0} is allocated month by month: the grain can only be month")]
    GrainOfMonths(String),
}

impl Why {
    /// A name that none of `known` is, with the nearest where one is near.
    pub fn unknown<'a>(
        kind: &'static str,
        given: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        let nearest = known
            .filter(|known| !known.is_empty())
            .map(|known| (damerau_levenshtein(known, given), known))
            .min()
            .filter(|(distance, known)| *distance <= known.len().div_ceil(3));
        Self::Unknown {
            kind,
            given: given.to_owned(),
            nearest: nearest.map(|(_, known)| known.to_owned()),
        }
    }
}

impl Bilingual for Why {
    fn chinese(&self) -> String {
        match self {
            Self::EmptyRange => "必须晚于 `from`；日期范围左闭右开".to_owned(),
            Self::NoDay(given) => format!("`{given}` 不是日期；请写成 YYYY-MM-DD"),
            Self::Unknown {
                kind,
                given,
                nearest,
            } => {
                let near = nearest
                    .as_ref()
                    .map(|near| format!("；是否应为 `{near}`？"))
                    .unwrap_or_default();
                let kind = match *kind {
                    "metric" => "指标",
                    "key" => "维度",
                    other => other,
                };
                format!("没有{kind} `{given}`{near}")
            }
            Self::NeedsBills(given) => format!("`{given}` 暂不可用：需要账单，而账单尚未读取"),
            Self::NeedsRecomputed(given) => {
                format!("`{given}` 暂不可用：需要重计算的 FLOPs，工作量数据尚未提供")
            }
            Self::NeedsPhases(given) => {
                format!("`{given}` 暂不可用：需要区分预填充与解码，尚未核算")
            }
            Self::NotAccounted(given) => format!("`{given}` 暂不可用：尚未核算"),
            Self::HostIncluded(given) => format!(
                "`{given}` 不可用：请使用 flop_per_joule.server 或 flop_per_joule.facility，账本中的电量含主机部分"
            ),
            Self::NoFilter(key) => format!("不能按 `{key}` 筛选；请使用 from 与 to"),
            Self::NotBy { metric, key, keys } => {
                format!("{metric} 不能按 `{key}` 查询；可用 {}", keys.join("、"))
            }
            Self::OnlyElectricity => {
                "账本按时间成本与电费记录类别：按类别查询时，成分只能筛选 electricity".to_owned()
            }
            Self::WholeMonths(metric) => format!("{metric} 按月分摊：请给出某月的第一天"),
            Self::GrainOfMonths(metric) => format!("{metric} 按月分摊：粒度只能是月"),
        }
    }
}

impl Bilingual for QuestionError {
    fn chinese(&self) -> String {
        format!("{}：{}", self.field, self.why.chinese())
    }
}
