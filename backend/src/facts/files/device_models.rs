//! `device_models.csv`: what a model of accelerator can do and draw, dense peaks of one schedulable unit.

use crate::facts::kind::{CAPACITY, Form, Kind, POWER, may, must, nothing_more};
use crate::store::bulk::{Identity, Touches};

pub static DEVICE_MODELS: Kind = Kind {
    name: "device_models",
    columns: &[
        must("model", Form::Text),
        may("aliases", Form::Text),
        must("vendor", Form::Text),
        may("memory_gib", CAPACITY),
        may("tdp_w", POWER),
        may("idle_w", POWER),
        may("peak_bf16_tflops", CAPACITY),
        may("peak_fp16_tflops", CAPACITY),
        may("peak_fp8_tflops", CAPACITY),
        may("peak_int8_tops", CAPACITY),
        may("peak_tf32_tflops", CAPACITY),
        may("peak_fp32_tflops", CAPACITY),
        may("peak_fp64_tflops", CAPACITY),
        may("mem_bw_gbps", CAPACITY),
        may("slices", Form::Whole { least: 1 }),
        must("source", Form::Text),
        must("confidence", Form::Text),
    ],
    identity: Identity::Key(&["model"]),
    touches: Touches::Always,
    amount: None,
    names_time: false,
    check: nothing_more,
};
