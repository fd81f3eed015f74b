#!/usr/bin/env bash
# Builds the binaries of a Citus cluster for the tests: a private copy of Debian's PostgreSQL 15 with the extension, below CITUS_ROOT
# (default: /tmp/shelfwire-citus). Takes five minutes on two cores, and nothing when they are there already. The system's own PostgreSQL is
# not touched. Where it cannot be done, one line says why, and the exit code is 0: the tests on the cluster are skipped.
#
# The source (AGPL-3.0, not part of this repository) is taken from CITUS_ARCHIVE, or from ../shared/engine beside the project.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
root=${CITUS_ROOT:-${TMPDIR:-/tmp}/shelfwire-citus}
server=$root/pg/usr/lib/postgresql/15
[ -f "$server/lib/citus.so" ] && exit 0

skip() { echo "Citus: the tests on a cluster are skipped, because $1"; exit 0; }
archive=${CITUS_ARCHIVE:-$(ls "$project"/../shared/engine/citus-*.tar.xz 2>/dev/null | tail -1)}

# in a process of its own: what is on the left of || does not end at its first error
if [ "${1:-}" != build ]; then
  [ -n "$archive" ] && [ -f "$archive" ] || skip 'there is no source archive (set CITUS_ARCHIVE)'
  [ "$(id -u)" = 0 ] || skip 'installing what it is built with needs root'
  command -v apt-get >/dev/null || skip 'it is built with Debian packages only'
  echo "Citus: building the extension, some five minutes; its output goes to $root/build.log"
  mkdir -p "$root"
  chmod 755 "$root"
  CITUS_ARCHIVE=$archive bash "$0" build >"$root/build.log" 2>&1 && exit 0
  tail -20 "$root/build.log"
  rm -f "$server/lib/citus.so"
  skip 'building it failed'
fi

packages=(postgresql-15 libssl-dev libpq-dev gcc make flex xz-utils)
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"
# the headers must be those of exactly this server
version=$(dpkg-query -W -f '${Version}' postgresql-15)
mkdir -p "$root/packages" "$root/pg/usr/lib/postgresql" "$root/pg/usr/share/postgresql"
(cd "$root/packages" && apt-get download "postgresql-server-dev-15=$version" libkrb5-dev krb5-multidev comerr-dev liblz4-dev libzstd-dev)
# PostgreSQL finds its directories from where its binaries are, so a copy is an installation of its own
cp -a /usr/lib/postgresql/15 "$root/pg/usr/lib/postgresql/"
cp -a /usr/share/postgresql/15 "$root/pg/usr/share/postgresql/"
for package in "$root"/packages/*.deb; do dpkg -x "$package" "$root/pg"; done
cp -an /usr/include/postgresql/. "$root/pg/usr/include/postgresql/"
libraries=$(dirname "$(ls "$root"/pg/usr/lib/*/liblz4.so | head -1)")
system=/usr/lib/$(basename "$libraries")
cp -a "$system"/liblz4.so.1* "$system"/libzstd.so.1* "$libraries/"
# links to libraries that are not in this copy
rm -f "$libraries"/lib{gssapi_krb5,krb5,k5crypto,com_err,krb5support}.so
rm -rf "$root/source"
mkdir "$root/source"
tar -xJf "$archive" -C "$root/source" --strip-components=1
cd "$root/source"
# later minor releases of PostgreSQL 15 declare a function of this name themselves
perl -0pi -e 's/static inline bool\nhave_createdb_privilege\(void\)/#define have_createdb_privilege citus_have_createdb_privilege\n$&/' \
  src/include/pg_version_compat.h
export CPATH=$root/pg/usr/include
./configure -q --without-libcurl "PG_CONFIG=$server/bin/pg_config" "LDFLAGS=-L$libraries"
make -s -j"$(nproc)" with_llvm=no extension
make -s with_llvm=no install-extension
