//! Sites, nodes, devices, their models and meters.

use std::collections::BTreeSet;

use accounting::facts::{Device, DeviceModel, FaultClass, Meter, Node, Site, Validity};
use accounting::ids::Id;
use accounting::quantity::Rational;
use accounting::time::Zone;
use sqlx::postgres::PgPool;

use super::cells::{Cells, all, end_where_the_next_begins};
use super::seeded;
use crate::store::StoreError;
use crate::store::written::list;

pub async fn sites(db: &PgPool) -> Result<Vec<Site>, StoreError> {
    let mut sites = all(
        db,
        "SELECT site, name, kind, zone, region, pue_default::text, tariff, entity, valid_from FROM sites \
         ORDER BY site COLLATE \"C\", valid_from NULLS FIRST",
        site,
    )
    .await?;
    end_where_the_next_begins(&mut sites, |a, b| a.site == b.site, |s| &mut s.valid);
    Ok(sites)
}

fn site(row: &Cells<'_>) -> Result<Site, StoreError> {
    Ok(Site {
        site: row.id("site")?,
        name: row.string("name")?,
        kind: row.word("kind")?,
        zone: row.read("zone", |text| {
            text.parse::<Zone>().map_err(|e| e.to_string())
        })?,
        region: row.maybe_id("region")?,
        pue_default: row.maybe_number("pue_default")?,
        tariff: row.maybe_id("tariff")?,
        entity: row.maybe_id("entity")?,
        valid: Validity {
            from: row.maybe_ms("valid_from")?,
            to: None,
        },
    })
}

pub async fn nodes(db: &PgPool) -> Result<Vec<Node>, StoreError> {
    let mut nodes = all(
        db,
        "SELECT node, site, ownership, cloud_resource_id, host_overhead_w::text, valid_from, valid_to FROM nodes \
         ORDER BY node COLLATE \"C\", valid_from NULLS FIRST",
        node,
    )
    .await?;
    end_where_the_next_begins(&mut nodes, |a, b| a.node == b.node, |n| &mut n.valid);
    Ok(nodes)
}

fn node(row: &Cells<'_>) -> Result<Node, StoreError> {
    Ok(Node {
        node: row.id("node")?,
        site: row.id("site")?,
        ownership: row.word("ownership")?,
        cloud_resource_id: row.maybe_id("cloud_resource_id")?,
        host_overhead_w: row.maybe_number("host_overhead_w")?,
        valid: row.validity("valid_from", "valid_to")?,
    })
}

pub async fn devices(db: &PgPool) -> Result<Vec<Device>, StoreError> {
    let mut devices = all(
        db,
        "SELECT device, node, slot, model, parent, slice, slice_weight, valid_from, valid_to FROM devices \
         ORDER BY device COLLATE \"C\", valid_from NULLS FIRST",
        device,
    )
    .await?;
    end_where_the_next_begins(&mut devices, |a, b| a.device == b.device, |d| &mut d.valid);
    Ok(devices)
}

fn device(row: &Cells<'_>) -> Result<Device, StoreError> {
    Ok(Device {
        device: row.id("device")?,
        node: row.id("node")?,
        slot: row.string("slot")?,
        model: row.id("model")?,
        parent: row.maybe_id("parent")?,
        slice: row.maybe_text("slice")?.map(str::to_owned),
        slice_weight: row.maybe_share("slice_weight")?,
        valid: row.validity("valid_from", "valid_to")?,
    })
}

/// The models imported, and those the product knows that none of them names.
pub async fn models(db: &PgPool) -> Result<Vec<DeviceModel>, StoreError> {
    let mut models = all(
        db,
        "SELECT model, aliases, vendor, memory_gib::text, tdp_w::text, idle_w::text, peak_bf16_tflops::text, \
         peak_fp16_tflops::text, peak_fp8_tflops::text, peak_int8_tops::text, peak_tf32_tflops::text, \
         peak_fp32_tflops::text, peak_fp64_tflops::text, mem_bw_gbps::text, slices, source, confidence \
         FROM device_models ORDER BY model COLLATE \"C\"",
        model,
    )
    .await?;
    let named: BTreeSet<Id> = models.iter().flat_map(names).cloned().collect();
    for mut known in seeded::models()? {
        if named.contains(&known.model) {
            continue;
        }
        known.aliases.retain(|alias| !named.contains(alias));
        models.push(known);
    }
    Ok(models)
}

fn names(model: &DeviceModel) -> impl Iterator<Item = &Id> {
    std::iter::once(&model.model).chain(&model.aliases)
}

fn model(row: &Cells<'_>) -> Result<DeviceModel, StoreError> {
    let number = |column| -> Result<Option<Rational>, StoreError> { row.maybe_number(column) };
    Ok(DeviceModel {
        model: row.id("model")?,
        aliases: row
            .maybe_text("aliases")?
            .map(|text| list(text).map(Id::from).collect())
            .unwrap_or_default(),
        vendor: row.string("vendor")?,
        memory_gib: number("memory_gib")?,
        tdp_w: number("tdp_w")?,
        idle_w: number("idle_w")?,
        peak_bf16_tflops: number("peak_bf16_tflops")?,
        peak_fp16_tflops: number("peak_fp16_tflops")?,
        peak_fp8_tflops: number("peak_fp8_tflops")?,
        peak_int8_tops: number("peak_int8_tops")?,
        peak_tf32_tflops: number("peak_tf32_tflops")?,
        peak_fp32_tflops: number("peak_fp32_tflops")?,
        peak_fp64_tflops: number("peak_fp64_tflops")?,
        mem_bw_gbps: number("mem_bw_gbps")?,
        slices: row.maybe_whole("slices")?,
        source: row.string("source")?,
        confidence: row.string("confidence")?,
    })
}

pub async fn meters(db: &PgPool) -> Result<Vec<Meter>, StoreError> {
    let mut meters = all(
        db,
        "SELECT meter, site, node, role, multiplier::text, parent, valid_from, valid_to FROM meters \
         ORDER BY meter COLLATE \"C\", valid_from NULLS FIRST",
        meter,
    )
    .await?;
    end_where_the_next_begins(&mut meters, |a, b| a.meter == b.meter, |m| &mut m.valid);
    Ok(meters)
}

fn meter(row: &Cells<'_>) -> Result<Meter, StoreError> {
    Ok(Meter {
        meter: row.id("meter")?,
        site: row.id("site")?,
        node: row.maybe_id("node")?,
        role: row.word("role")?,
        multiplier: row.maybe_number("multiplier")?.unwrap_or(Rational::ONE),
        parent: row.maybe_id("parent")?,
        valid: row.validity("valid_from", "valid_to")?,
    })
}

/// The classes imported, and those the product knows of other codes.
pub async fn fault_classes(db: &PgPool) -> Result<Vec<(Id, FaultClass)>, StoreError> {
    let mut classes = all(
        db,
        "SELECT code, class FROM fault_classes ORDER BY code COLLATE \"C\"",
        |row| Ok((row.id("code")?, row.word("class")?)),
    )
    .await?;
    let named: BTreeSet<Id> = classes.iter().map(|(code, _)| code.clone()).collect();
    for (code, class) in seeded::fault_classes()? {
        if !named.contains(&code) {
            classes.push((code, class));
        }
    }
    Ok(classes)
}
