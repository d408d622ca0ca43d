#!/usr/bin/env bash
# A cargo that can build the page for the browser (target wasm32-unknown-unknown).
#
#   wasm_toolchain.sh           makes sure there is one
#   wasm_toolchain.sh --which   prints its path, installs nothing
#
# The ordinary way is the target of the installed toolchain, added by rustup. Where rustup is absent or cannot reach
# its server, Debian's packages of a newer Rust (rustc-web and its siblings) are unpacked into a folder of their own,
# beside the installed toolchain and without touching it, and the standard library is compiled once for the target
# from Debian's sources of it, without network. WASM_TOOLCHAIN_HOME names that folder.
set -euo pipefail

target=wasm32-unknown-unknown
home=${WASM_TOOLCHAIN_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/suanzhang/wasm-toolchain}
manifest=$(cd "$(dirname "$0")/../.." && pwd)/Cargo.toml

say() { printf 'wasm toolchain: %s\n' "$*" >&2; }
stop() { say "$*"; exit 1; }

# Has this compiler a standard library for the target?
serves() {
  local libraries
  libraries=$("$1" --print target-libdir --target "$target" 2>/dev/null) \
    && compgen -G "$libraries/libstd-*.rlib" >/dev/null
}

which_cargo() {
  if command -v rustc >/dev/null && serves rustc; then
    command -v cargo
  elif [ -e "$home/complete" ] && serves "$home/bin/rustc"; then
    echo "$home/bin/cargo"
  else
    return 1
  fi
}

if [ "${1:-}" = --which ]; then
  which_cargo || stop "no Rust here builds for $target: run xtask/scripts/setup.sh"
  exit 0
fi
if which_cargo >/dev/null; then exit 0; fi

# ---- rustup ------------------------------------------------------------------------------------------------------

if command -v rustup >/dev/null; then
  say "rustup target add $target"
  # A server that cannot be reached must not cost more than a minute or two.
  if RUSTUP_MAX_RETRIES=1 timeout 120 rustup target add "$target" >&2 && serves rustc; then exit 0; fi
  say "rustup could not add it; taking Debian's packages instead"
fi

# ---- Debian's packages -------------------------------------------------------------------------------------------

machine=x86_64-linux-gnu
command -v apt-get >/dev/null || stop "no apt-get here: add the target $target to your toolchain yourself"
[ "$(dpkg --print-architecture)" = amd64 ] || stop "Debian's way is known for amd64 only: add the target $target yourself"
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
newest() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: *\([^(].*\)$/\1/p'; }

[ -n "$(newest rust-web-src)" ] || as_root apt-get update -qq
package=$(newest rustc-web)
[ -n "$package" ] || stop "apt knows no package rustc-web: is the security suite among its sources?"
rust=${package%%[-+]*}
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$manifest")
[ "$(printf '%s\n%s\n' "$needed" "$rust" | sort -V | head -n1)" = "$needed" ] \
  || stop "Debian's rustc-web is $rust, but $needed or newer is needed"
standard=libstd-rust-web-${rust%.*}
llvm=$(apt-cache show "$standard=$package" | grep -o 'libllvm[0-9]*' | head -n1)
linker=lld-${llvm#libllvm}
[ -n "$(newest "$linker")" ] || linker=lld

# The shared libraries that compiler, cargo and linker load, and a C linker for build scripts.
libraries=()
for library in "$llvm" libgit2-1.5 libssh2-1 libcurl4 libsqlite3-0 gcc libc6-dev; do
  dpkg-query -W -f='${db:Status-Status}' "$library" 2>/dev/null | grep -qx installed || libraries+=("$library")
done
if [ ${#libraries[@]} -gt 0 ]; then
  say "apt-get install ${libraries[*]} (libraries of Debian's Rust)"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || stop "installing needs root: apt-get install ${libraries[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q -o DPkg::Lock::Timeout=300 --no-install-recommends "${libraries[@]}" </dev/null >&2 \
    || stop "apt-get install failed (see above)"
fi

mkdir -p "$(dirname "$home")"
room=$(mktemp -d "$home.XXXXXX")
trap 'rm -rf "$room"' EXIT
chmod 755 "$room"

unpack() {
  local file
  mkdir "$room/packages"
  say "downloading Debian's Rust $rust (about 150 MB)"
  (cd "$room/packages" && apt-get download -q "rustc-web=$package" "cargo-web=$package" "libstd-rust-web-dev=$package" \
    "$standard=$package" "rust-web-src=$package" "$linker" >&2) || stop "apt-get download failed (see above)"
  for file in "$room"/packages/*.deb; do
    case $file in
      # Of the sources only the library is compiled; the compiler's own are left out.
      */rust-web-src_*) dpkg-deb --fsys-tarfile "$file" \
        | tar -x -C "$room" --wildcards './usr/src/*/library' './usr/lib/rustlib/src/*' ;;
      *) dpkg-deb --extract "$file" "$room" ;;
    esac
  done
  rm -rf "$room/packages" "$room/usr/share"
  # rustc looks for its linker in its own folder.
  local tools=$room/usr/lib/rustlib/x86_64-unknown-linux-gnu/bin
  mkdir -p "$tools"
  cp -L "$(find "$room"/usr/lib/llvm-*/bin "$room/usr/bin" -maxdepth 1 -name lld 2>/dev/null | head -n1)" "$tools/rust-lld"
}

# The programs find their libraries, and cargo its compiler, from wherever the folder stands.
wrap() {
  local tool
  mkdir "$room/bin"
  for tool in rustc rustdoc cargo; do
    cat >"$room/bin/$tool" <<WRAPPER
#!/bin/sh
top=\$(cd "\$(dirname "\$(readlink -f "\$0")")/.." && pwd)
if [ $tool = cargo ]; then
  unset RUSTUP_TOOLCHAIN CARGO RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER
  export RUSTC="\$top/bin/rustc" RUSTDOC="\$top/bin/rustdoc"
else
  export LD_LIBRARY_PATH="\$top/usr/lib/$machine\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
fi
exec "\$top/usr/bin/$tool" "\$@"
WRAPPER
    chmod 755 "$room/bin/$tool"
  done
}

# An empty crate, built together with the standard library; the library's parts are then kept.
build_standard_library() {
  local sources crate=$room/crate libraries=$room/usr/lib/rustlib/$target/lib file
  sources=$(readlink -f "$room/usr/lib/rustlib/src/rust")/library
  mkdir -p "$crate/src" "$crate/.cargo" "$libraries"
  echo '#![no_std]' >"$crate/src/lib.rs"
  cat >"$crate/Cargo.toml" <<'MANIFEST'
[package]
name = "empty"
version = "0.0.0"
edition = "2021"
[profile.release]
panic = "abort"
[workspace]
MANIFEST
  cat >"$crate/.cargo/config.toml" <<CONFIG
[source.crates-io]
replace-with = "vendored-sources"
[source.vendored-sources]
directory = "$sources/vendor"
CONFIG
  say "building the standard library for $target (once, about 1.5 minutes)"
  (cd "$crate" && env -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS -u CARGO_TARGET_DIR -u CARGO_BUILD_TARGET \
    CARGO_HOME="$crate/home" CARGO_NET_OFFLINE=true RUSTC_BOOTSTRAP=1 \
    RUSTFLAGS="-Cembed-bitcode=yes --remap-path-prefix=$sources=/rustc/$rust/library" \
    "$room/bin/cargo" build --release -Z build-std=std,panic_abort --target "$target" >&2) \
    || stop "the standard library does not build (see above)"
  for file in "$crate/target/$target/release/deps/"lib*.r{lib,meta}; do
    [[ $file == */libempty-* ]] || cp "$file" "$libraries/"
  done
  rm -rf "$crate" "$room/usr/src" "$room/usr/lib/rustlib/src"
}

unpack
wrap
build_standard_library
serves "$room/bin/rustc" || stop "the standard library was built, but the compiler does not find it"
touch "$room/complete"
rm -rf "$home"
mv "$room" "$home"
trap - EXIT
say "ready in $home"
