#!/bin/sh
# Installs `omnigraph`, `omnigraph-server` and `orbit` from a release, after its checksum was compared.
#
#   RELEASE_CHANNEL  stable (the newest release; edge while there is none) or edge (the newest commit) [stable]
#   VERSION          one release, such as v0.1.0
#   INSTALL_DIR      where the programs go [~/.local/bin]
#   BASE_URL         where the releases are: BASE_URL/latest/download/FILE and BASE_URL/download/TAG/FILE
#
# The copy of this script that is published with a release knows its BASE_URL. All programs are replaced, or none.
set -eu

# Filled in by the release.
published_at=""

programs="omnigraph omnigraph-server orbit"
work=""
stage=""
replaced=""

fail() {
  echo "error: $1" >&2
  if [ -n "${2:-}" ]; then echo "hint: $2" >&2; fi
  exit 1
}

# Takes back what was replaced when the rest could not be, and removes what is only needed here.
leave() {
  for program in $replaced; do
    if [ -e "$stage/old/$program" ]; then
      mv -f "$stage/old/$program" "$install_dir/$program"
    else
      rm -f "$install_dir/$program"
    fi
  done
  if [ -n "$stage" ]; then rm -rf "$stage"; fi
  if [ -n "$work" ]; then rm -rf "$work"; fi
}

# linux-x86_64, macos-x86_64 or macos-arm64: what is released.
platform() {
  case "$(uname -s)-$(uname -m)" in
  Linux-x86_64 | Linux-amd64) echo linux-x86_64 ;;
  Darwin-x86_64) echo macos-x86_64 ;;
  Darwin-arm64 | Darwin-aarch64) echo macos-arm64 ;;
  *)
    fail "there are no releases for $(uname -s) on $(uname -m)" \
      "build from source: cargo build --release --locked -p omnigraph-cli -p omnigraph-server -p orbit-cli"
    ;;
  esac
}

# Puts an address into a file. Ends with 0 when it is there, 4 when the server says that nothing is; else fails.
download() {
  status=""
  if command -v curl >/dev/null 2>&1; then
    status="$(curl -sSL --retry 2 --connect-timeout 20 -o "$2" -w '%{http_code}' "$1" 2>"$work/said")" || status=""
  elif command -v wget >/dev/null 2>&1; then
    wget -S --tries=3 --timeout=20 -O "$2" "$1" 2>"$work/said" || true
    status="$(sed -n 's/^ *HTTP\/[0-9.]* \([0-9][0-9][0-9]\).*/\1/p' "$work/said" | tail -n 1)"
  else
    fail "neither curl nor wget is there" "install one of them"
  fi
  case "$status" in
  200) return 0 ;;
  404) return 4 ;;
  "" | 000) fail "cannot download $1: $(tail -n 1 "$work/said")" "is BASE_URL right, and can it be reached from here?" ;;
  *) fail "cannot download $1: the server answers $status" ;;
  esac
}

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
  else
    fail "nothing here computes SHA-256" "install sha256sum, shasum or openssl; nothing is installed unchecked"
  fi
}

# Downloads the archive of a channel or version into $work; ends with 4 when there is none.
fetch() {
  download "$1/$archive" "$work/$archive" || return $?
  download "$1/$archive.sha256" "$work/$archive.sha256" ||
    fail "$1/$archive has no checksum beside it" "nothing was installed"
}

find_release() {
  if [ -n "$version" ]; then
    fetch "$base_url/download/$version" || fail "there is no $archive of release $version at $base_url" \
      "versions are written as v0.1.0; without VERSION the newest is installed"
    return 0
  fi
  if [ "$channel" = stable ]; then
    if fetch "$base_url/latest/download"; then return 0; fi
    echo "there is no stable release yet: taking edge"
  fi
  fetch "$base_url/download/edge" || fail "there is no $archive at $base_url" "is BASE_URL right?"
}

check_sum() {
  expected="$(sed -n 's/^\([0-9A-Fa-f]\{64\}\)\([[:space:]].*\)\{0,1\}$/\1/p' "$work/$archive.sha256" | head -n 1 | tr A-F a-f)"
  [ -n "$expected" ] || fail "$archive.sha256 holds no checksum" "nothing was installed"
  actual="$(sha256 "$work/$archive")"
  [ "$actual" = "$expected" ] ||
    fail "$archive has the checksum $actual, and should have $expected" "nothing was installed; try again"
}

# Unpacks beside the place where the programs go, so that each is put there by one rename.
unpack() {
  mkdir -p "$install_dir" || fail "cannot make $install_dir" "name another directory with INSTALL_DIR"
  stage="$(mktemp -d "$install_dir/.omnigraph-install.XXXXXX")" ||
    fail "cannot write to $install_dir" "name another directory with INSTALL_DIR"
  mkdir "$stage/new" "$stage/old"
  # shellcheck disable=SC2086 # a list
  tar -xzf "$work/$archive" -C "$stage/new" $programs || fail "$archive is not what it should be" "nothing was installed"
  for program in $programs; do
    if [ -L "$stage/new/$program" ] || [ ! -f "$stage/new/$program" ]; then
      fail "$program of $archive is not a file" "nothing was installed"
    fi
    if [ -d "$install_dir/$program" ]; then
      fail "$install_dir/$program is a directory" "nothing was installed"
    fi
    chmod 755 "$stage/new/$program"
    "$stage/new/$program" --version >"$work/said" 2>&1 ||
      fail "$program does not run here: $(tail -n 1 "$work/said")" "nothing was installed; build from source instead"
  done
}

put_in_place() {
  for program in $programs; do
    if [ -e "$install_dir/$program" ]; then cp -p "$install_dir/$program" "$stage/old/$program"; fi
    replaced="$replaced $program"
    mv -f "$stage/new/$program" "$install_dir/$program"
  done
  replaced=""
}

main() {
  channel="${RELEASE_CHANNEL:-stable}"
  version="${VERSION:-}"
  install_dir="${INSTALL_DIR:-${HOME:?HOME is not set: name a directory with INSTALL_DIR}/.local/bin}"
  base_url="${BASE_URL:-$published_at}"
  base_url="${base_url%/}"
  case "$channel" in
  stable | edge) ;;
  *) fail "RELEASE_CHANNEL is \`$channel\`" "it is stable or edge" ;;
  esac
  [ -n "$base_url" ] || fail "where are the releases?" \
    "set BASE_URL, such as https://github.com/OWNER/NAME/releases, or take the install.sh of a release"
  archive="omnigraph-$(platform).tar.gz"
  trap leave EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  work="$(mktemp -d)"
  find_release
  check_sum
  unpack
  put_in_place
  "$install_dir/omnigraph" --version
  # shellcheck disable=SC2086 # a list
  echo "installed" $programs "in $install_dir"
  case ":$PATH:" in
  *":$install_dir:"*) ;;
  *) echo "$install_dir is not in PATH: add it" ;;
  esac
}

# At the end, so that a part of this script does nothing.
main "$@"
