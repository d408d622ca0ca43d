//! What power a device can draw at most: twice its model's TDP, 3 kW when that is not known.

use std::collections::BTreeMap;

use accounting::facts::Facts;
use accounting::ids::Id;

/// µW a device of unknown TDP can draw.
pub const UNKNOWN_UW: i64 = 3_000_000_000;

/// µW by device, of those whose model has a TDP.
#[must_use]
pub fn limits(facts: &Facts) -> BTreeMap<Id, i64> {
    let mut by_name: BTreeMap<&Id, i64> = BTreeMap::new();
    for model in &facts.models {
        let Some(tdp) = model.tdp_w.and_then(|tdp| tdp.scaled(6)) else {
            continue;
        };
        for name in std::iter::once(&model.model).chain(&model.aliases) {
            by_name.entry(name).or_insert(tdp.saturating_mul(2));
        }
    }
    let mut limits = BTreeMap::new();
    for device in &facts.devices {
        if let Some(limit) = by_name.get(&device.model) {
            // A device that changed its model keeps the higher limit.
            let known = limits.entry(device.device.clone()).or_insert(*limit);
            *known = (*known).max(*limit);
        }
    }
    limits
}
