//! The tiles: cost, tokens per yuan, energy efficiency or MFU, useful share, PUE, data health; only those with data.

use api::overview::{Energy, Figure, Overview, TokensPerYuan};
use api::query::Status;
use leptos::prelude::*;

use crate::charts::sparkline;
use crate::format::{self, Change};
use crate::frame::Frame;
use crate::texts::{self, Locale, Part, fill, t};
use crate::widgets::amount::{Welcome, amount, change, energy, missing};
use crate::widgets::compared::Compared;

pub fn tiles(frame: Frame, overview: &Overview) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let compared = Compared::of_overview(locale, &frame.view.get(), overview);
    view! {
        <div class="tiles">
            {cost(locale, overview, &compared)} {tokens(locale, overview, &compared)}
            {efficiency(locale, overview, &compared)} {useful(locale, overview, &compared)}
            {pue(locale, overview, &compared)} {electricity(locale, overview)}
            {health(frame, overview)}
        </div>
    }
}

fn cost(locale: Locale, overview: &Overview, compared: &Compared) -> Option<AnyView> {
    let money = &overview.cost;
    let currency = &overview.about.currency;
    let now = money.value.micro()?;
    let before = money.compare.as_ref().and_then(api::Yuan::micro);
    let moved = before.map(|before| {
        let moved = Change::between(i128::from(now), i128::from(before));
        let beside = format::yuan_signed(locale, currency, now.saturating_sub(before));
        let hint = compared.hint.clone();
        change(locale, moved, Welcome::Neither, Some(beside), hint)
    });
    let moved = moved.map_or_else(
        || missing(compared.hint.as_str()).into_any(),
        IntoAny::into_any,
    );
    let against = compared.against.clone().map(|text| {
        let hint = compared.hint.clone();
        view! {
            <p class="beneath muted" title=hint>
                {text}
            </p>
        }
    });
    let estimated = money
        .estimated
        .micro()
        .filter(|part| *part != 0)
        .map(|part| {
            let yuan = format::yuan(locale, currency, part);
            let text = fill(t!(locale, overview.tile.estimated), &[("yuan", &yuan)]);
            view! { <p class="beneath hatched-mark">{text}</p> }
        });
    let trend: Vec<Option<i128>> = money
        .trend
        .iter()
        .map(|value| value.as_ref().and_then(api::Yuan::micro).map(i128::from))
        .collect();
    let value = amount(locale, currency, now);
    let name = t!(locale, overview.tile.cost);
    Some(tile("cost", name, "", value, (moved, against, estimated), &trend).into_any())
}

fn tokens(locale: Locale, overview: &Overview, compared: &Compared) -> Option<AnyView> {
    let first = overview.tokens_per_yuan.first()?;
    let unit = texts::unit(locale, &overview.about.currency);
    let name = fill(t!(locale, overview.tile.tokens), &[("unit", unit)]);
    let parts: Vec<_> = overview
        .tokens_per_yuan
        .iter()
        .filter_map(|one| tokens_of_kind(locale, one, compared))
        .collect();
    let trend = trend(&first.direct);
    let beneath = overview.tokens_per_yuan.iter().find_map(|one| {
        let number = format::number(locale, one.full.as_deref()?)?;
        Some(fill(t!(locale, overview.tile.full), &[("tokens", &number)]))
    });
    let full_hint = t!(locale, overview.tile.full_hint);
    let beneath = beneath.map(|text| {
        view! {
            <p class="beneath muted" title=full_hint>
                {text}
            </p>
        }
    });
    let pair = view! { <span class="pair">{parts}</span> };
    Some(tile("tokens", name, "", pair, beneath, &trend).into_any())
}

fn tokens_of_kind(
    locale: Locale,
    tokens: &TokensPerYuan,
    compared: &Compared,
) -> Option<impl IntoView + use<>> {
    let (kind, hint) = match tokens.kind.as_str() {
        "trained" => (
            t!(locale, overview.tile.trained),
            t!(locale, overview.tile.trained_hint),
        ),
        "generated" => (
            t!(locale, overview.tile.generated),
            t!(locale, overview.tile.generated_hint),
        ),
        _ => return None,
    };
    let number = format::number(locale, &tokens.direct.value)?;
    let share = format::micro(&tokens.cost_share).map(format::percent)?;
    let moved = moved(locale, &tokens.direct, Welcome::Rise, compared);
    Some(view! {
        <span class="part" title=fill(hint, &[("share", &share)])>
            <span class="number">{number}</span>
            <span class="kind muted">{kind}</span>
            {moved}
        </span>
    })
}

/// FLOP/J when measured, with the MFU beneath; the MFU alone otherwise.
fn efficiency(locale: Locale, overview: &Overview, compared: &Compared) -> Option<AnyView> {
    let mfu = overview.mfu.as_ref();
    let share = |figure: &Figure| format::micro(&figure.value).map(format::percent);
    if let Some(figure) = &overview.flop_per_joule {
        let (number, unit) = format::physical(&figure.value, "FLOP/J")?;
        let value = view! {
            {number}
            <span class="unit">"\u{a0}" {unit}</span>
        };
        let beneath = mfu.and_then(share).map(|value| {
            let text = fill(t!(locale, overview.tile.mfu_beneath), &[("value", &value)]);
            view! { <p class="beneath muted">{text}</p> }
        });
        let name = t!(locale, overview.tile.flop_per_joule);
        let hint = t!(locale, overview.tile.flop_per_joule_hint);
        let below = (moved(locale, figure, Welcome::Rise, compared), beneath);
        return Some(tile("energy", name, hint, value, below, &trend(figure)).into_any());
    }
    let figure = mfu?;
    let name = t!(locale, overview.tile.mfu);
    let hint = t!(locale, overview.tile.mfu_hint);
    let below = moved(locale, figure, Welcome::Rise, compared);
    Some(tile("mfu", name, hint, share(figure)?, below, &trend(figure)).into_any())
}

/// The useful share with the held share beneath; the held share alone where nothing judges use.
fn useful(locale: Locale, overview: &Overview, compared: &Compared) -> Option<AnyView> {
    let held = overview.allocated_share.as_ref();
    let share = |figure: &Figure| format::micro(&figure.value).map(format::percent);
    if let Some(figure) = overview.useful_share.as_ref() {
        let beneath = held.and_then(share).map(|value| {
            let text = fill(
                t!(locale, overview.tile.allocated_beneath),
                &[("value", &value)],
            );
            let hint = t!(locale, overview.tile.allocated_hint);
            view! {
                <p class="beneath muted" title=hint>
                    {text}
                </p>
            }
        });
        let name = t!(locale, overview.tile.useful);
        let hint = t!(locale, overview.tile.useful_hint);
        let below = (moved(locale, figure, Welcome::Rise, compared), beneath);
        return Some(tile("useful", name, hint, share(figure)?, below, &trend(figure)).into_any());
    }
    let figure = held?;
    let name = t!(locale, overview.tile.allocated);
    let hint = t!(locale, overview.tile.allocated_hint);
    let below = moved(locale, figure, Welcome::Rise, compared);
    Some(tile("held", name, hint, share(figure)?, below, &trend(figure)).into_any())
}

fn pue(locale: Locale, overview: &Overview, compared: &Compared) -> Option<AnyView> {
    let figure = overview.pue.as_ref()?;
    let value = format::number(locale, &figure.value)?;
    // A configured default is no measurement.
    let value = match figure.status {
        Status::Estimated => format!("≈ {value}"),
        _ => value,
    };
    let name = t!(locale, overview.tile.pue);
    let hint = t!(locale, overview.tile.pue_hint);
    let electricity = electricity_beneath(locale, overview);
    let below = (moved(locale, figure, Welcome::Fall, compared), electricity);
    Some(tile("pue", name, hint, value, below, &trend(figure)).into_any())
}

/// Electricity beneath the PUE: how much in the unit of its bill, and its yuan.
fn electricity_beneath(locale: Locale, overview: &Overview) -> Option<AnyView> {
    let found = overview.energy.as_ref()?;
    let cost = electricity_cost(locale, &overview.about.currency, found);
    let words: Vec<AnyView> = texts::parts(t!(locale, overview.tile.energy_beneath))
        .into_iter()
        .map(|part| match part {
            Part::Text(text) => text.to_owned().into_any(),
            Part::Name("energy") => energy(locale, &found.kwh).into_any(),
            Part::Name(_) => cost.clone().into_any(),
        })
        .collect();
    let hint = electricity_hint(locale, &found.kwh);
    Some(
        view! {
            <p class="beneath muted" title=hint>
                {words}
            </p>
        }
        .into_any(),
    )
}

/// Electricity on its own where no PUE is known or told.
fn electricity(locale: Locale, overview: &Overview) -> Option<AnyView> {
    let found = overview
        .energy
        .as_ref()
        .filter(|_| overview.pue.is_none())?;
    let cost = electricity_cost(locale, &overview.about.currency, found);
    let below = view! { <p class="beneath muted">{cost}</p> };
    let name = t!(locale, overview.tile.energy);
    let hint = electricity_hint(locale, &found.kwh);
    let value = energy(locale, &found.kwh);
    Some(tile("electricity", name, hint, value, below, &[]).into_any())
}

fn electricity_cost(locale: Locale, currency: &str, energy: &Energy) -> String {
    energy.yuan.as_ref().and_then(api::Yuan::micro).map_or_else(
        || t!(locale, overview.tile.energy_unpriced).to_owned(),
        |micro| {
            let yuan = format::yuan(locale, currency, micro);
            fill(t!(locale, overview.tile.energy_cost), &[("yuan", &yuan)])
        },
    )
}

fn electricity_hint(locale: Locale, kwh: &str) -> String {
    let kwh = format::decimal(kwh).unwrap_or_default();
    fill(t!(locale, overview.tile.energy_hint), &[("kwh", &kwh)])
}

fn health(frame: Frame, overview: &Overview) -> impl IntoView + use<> {
    let locale = frame.locale.get();
    let health = &overview.data_health;
    let currency = &overview.about.currency;
    let some = |yuan: &api::Yuan| yuan.micro().filter(|micro| *micro != 0);
    let hours = format::micro(&health.unpriced_device_hours)
        .filter(|hours| *hours != 0)
        .and_then(|_| format::number(locale, &health.unpriced_device_hours));
    let unpriced = hours.map(|hours| {
        let text = fill(t!(locale, overview.tile.hours), &[("hours", &hours)]);
        view! {
            <dt>{t!(locale, overview.tile.unpriced)}</dt>
            <dd>{text}</dd>
        }
    });
    let line = |name: &'static str, micro: Option<i64>| {
        micro.map(|micro| {
            view! {
                <dt>{name}</dt>
                <dd>{amount(locale, currency, micro)}</dd>
            }
        })
    };
    let unattributed = line(
        t!(locale, overview.tile.unattributed),
        some(&health.unattributed),
    );
    let unknown = line(t!(locale, overview.tile.unknown), some(&health.unknown));
    let clean = (unpriced.is_none() && unattributed.is_none() && unknown.is_none())
        .then(|| view! { <p class="value">{t!(locale, overview.tile.clean)}</p> });
    let waiting = (health.days_waiting > 0).then(|| {
        let days = health.days_waiting.to_string();
        let text = fill(t!(locale, overview.tile.waiting), &[("days", &days)]);
        view! { <p class="beneath bad">{text}</p> }
    });
    let audited = health.audited.map(|fine| {
        let text = if fine {
            t!(locale, overview.tile.audited)
        } else {
            t!(locale, overview.tile.not_audited)
        };
        view! {
            <p class="beneath" class:bad=!fine class:good=fine>
                {text}
            </p>
        }
    });
    view! {
        <section class="tile" data-tile="health">
            <h2>
                <a href=frame.view.get().href("/health")>{t!(locale, overview.tile.health)}</a>
            </h2>
            {clean}
            <dl class="health-lines">{unpriced} {unattributed} {unknown}</dl>
            {waiting} {audited}
        </section>
    }
}

/// The change of a ratio against its comparison, an em dash with the reason when there is none.
fn moved(locale: Locale, figure: &Figure, welcome: Welcome, compared: &Compared) -> AnyView {
    let now = format::micro(&figure.value);
    let before = figure.compare.as_deref().and_then(format::micro);
    match (now, before) {
        (Some(now), Some(before)) => {
            let hint = compared.hint.clone();
            change(locale, Change::between(now, before), welcome, None, hint).into_any()
        }
        // The days have books, but nothing this figure could be made of.
        _ if compared.against.is_some() => missing(t!(locale, shell.missing.no_base)).into_any(),
        _ => missing(compared.hint.as_str()).into_any(),
    }
}

fn trend(figure: &Figure) -> Vec<Option<i128>> {
    figure
        .trend
        .iter()
        .map(|value| value.as_deref().and_then(format::micro))
        .collect()
}

fn tile(
    kind: &'static str,
    name: impl IntoView,
    hint: impl Into<String>,
    value: impl IntoView,
    below: impl IntoView,
    trend: &[Option<i128>],
) -> impl IntoView {
    let hint: String = hint.into();
    let line = sparkline::path(trend).map(|path| {
        let view_box = format!("0 0 {} {}", sparkline::WIDTH, sparkline::HEIGHT);
        view! {
            <svg class="sparkline" viewBox=view_box preserveAspectRatio="none" aria-hidden="true">
                <path d=path></path>
            </svg>
        }
    });
    view! {
        <section class="tile" data-tile=kind title=hint>
            <h2>{name}</h2>
            <p class="value figure">{value}</p>
            <div class="below">{below}</div>
            {line}
        </section>
    }
}
