# `make run` starts Suanzhang from a fresh clone, `make test` is what CI runs. The rest are steps of these two.

export CARGO_TARGET_DIR ?= $(CURDIR)/target

# DEMO=0 leaves an empty database empty; otherwise it is filled with the example company of seed/example.
DEMO ?= 1

.PHONY: run test lint unit page browser tidy format

run:
	@xtask/scripts/setup.sh run
	cargo build --locked --profile quick --package backend
	cargo xtask page
	@exec env SUANZHANG_EXAMPLE_DIR=seed/example $(CARGO_TARGET_DIR)/quick/suanzhang serve $(if $(filter 0,$(DEMO)),,--demo)

test:
	@xtask/scripts/setup.sh test
	@$(MAKE) --no-print-directory lint unit page browser

lint:
	cargo fmt --all --check
	cargo xtask tidy
	cargo clippy --locked --workspace --all-targets -- -D warnings

unit:
	cargo nextest run --locked --workspace --no-fail-fast
	cargo test --locked --workspace --doc --quiet

page:
	cargo xtask page

browser:
	cargo build --locked --workspace --bin suanzhang
	cd e2e && npm ci && node run.mjs

tidy:
	cargo xtask tidy

format:
	cargo fmt --all
