#!/usr/bin/env bash
# Installs what `make run` or `make test` needs and this machine lacks: setup.sh run | setup.sh test
#
# First it lists what is missing and why, then it installs. Everything comes from package registries (apt, the Rust
# toolchain's own, npm). It changes nothing when nothing is missing, which takes well under a second.
set -euo pipefail

purpose=${1:-run}
here=$(cd "$(dirname "$0")" && pwd)

say() { printf 'setup: %s\n' "$*"; }
stop() { printf 'setup: %s\n' "$*" >&2; exit 1; }

apt_packages=() reasons=() steps=()
want_apt() { # package, reason
  apt_packages+=("$1"); reasons+=("$1 (apt): $2")
}
want_step() { # function, name, reason
  steps+=("$1"); reasons+=("$2: $3")
}

# ---- What is missing? --------------------------------------------------------------------------------------------

command -v cargo >/dev/null || stop "cargo is missing: install Rust first (rustup, or your distribution's package)"
wanted_rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$here/../../Cargo.toml")
rust=$(rustc --version | cut -d' ' -f2)
[ "$(printf '%s\n%s\n' "$wanted_rust" "${rust%%-*}" | sort -V | head -n1)" = "$wanted_rust" ] \
  || stop "Rust is $rust, but $wanted_rust or newer is needed: rustup update stable"

command -v git >/dev/null || want_apt git "the repository's own tools list files with it"
if ! command -v cc >/dev/null; then
  want_apt gcc "Rust links with it"
  want_apt libc6-dev "Rust links with it"
fi
compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || command -v postgres >/dev/null \
  || want_apt postgresql "the server keeps its data in a private PostgreSQL of its own"
command -v npm >/dev/null || want_apt npm "the chart library comes from npm"

rustup_component() { rustup component add "$1" || stop "rustup could not add $1"; }
add_rustfmt() { rustup_component rustfmt; }
add_clippy() { rustup_component clippy; }
# Unoptimised it is built in a third of the time, and what it waits for are the tests.
add_nextest() {
  cargo install cargo-nextest --locked --debug --no-default-features --features default-no-update \
    || stop "cargo could not install cargo-nextest"
}
add_wasm() { "$here/wasm_toolchain.sh"; }

"$here/wasm_toolchain.sh" --which >/dev/null 2>&1 \
  || want_step add_wasm "WASM toolchain" "the page is Rust compiled for the browser"

if [ "$purpose" = test ]; then
  cargo fmt --version >/dev/null 2>&1 || want_step add_rustfmt "rustfmt" "the format check"
  cargo clippy --version >/dev/null 2>&1 || want_step add_clippy "clippy" "the lints"
  cargo nextest --version >/dev/null 2>&1 || want_step add_nextest "cargo-nextest" "it runs the Rust tests (a few minutes to build)"
  command -v chromium >/dev/null || want_apt chromium "the browser tests drive a real browser"
  # Without fontconfig there are no fonts to ask for; chromium brings it.
  fc-list :lang=zh 2>/dev/null | grep -q . || want_apt fonts-wqy-microhei "Chinese text in the browser tests"
fi

[ ${#reasons[@]} -gt 0 ] || exit 0

say "missing here:"
for reason in "${reasons[@]}"; do printf '  - %s\n' "$reason"; done

# ---- Debian packages ---------------------------------------------------------------------------------------------

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

install_packages() {
  local wanted="${apt_packages[*]}" defaults=
  command -v apt-get >/dev/null || stop "no apt-get here: install these yourself, then call it again: $wanted"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null \
    || stop "installing needs root: apt-get install $wanted"
  say "apt-get update"
  as_root apt-get update -qq || stop "apt-get update failed (see above)"
  # Debian's package would also start a system-wide PostgreSQL, which nothing here uses.
  if [[ " $wanted " == *" postgresql "* ]] && [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    defaults=/etc/postgresql-common/createcluster.d/suanzhang.conf
    as_root mkdir -p "${defaults%/*}"
    echo 'create_main_cluster = false' | as_root tee "$defaults" >/dev/null
  fi
  say "apt-get install $wanted"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q -o DPkg::Lock::Timeout=300 --no-install-recommends "${apt_packages[@]}" </dev/null \
    || stop "apt-get install failed (see above)"
  [ -z "$defaults" ] || as_root rm -f "$defaults"
}

[ ${#apt_packages[@]} -eq 0 ] || install_packages
for step in ${steps[@]+"${steps[@]}"}; do "$step"; done
say "done"
