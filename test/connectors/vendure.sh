#!/usr/bin/env bash
# Installs a Vendure 3 shop from the npm registry for test/connectors, below VENDURE_ROOT (default: /tmp/shelfwire-vendure): two minutes on two
# cores, and nothing when it is there already. Packages are those of a day, so that the same shop is installed every time.
# Where it cannot be done, one line says why, and the exit code is 0: the test is skipped.
set -euo pipefail
root=${VENDURE_ROOT:-${TMPDIR:-/tmp}/shelfwire-vendure}
version=3.7.3
[ "$(cat "$root/installed" 2>/dev/null)" = "$version" ] && exit 0

echo "Vendure: installing the shop, some two minutes; its output goes to $root/install.log"
rm -rf "$root"
mkdir -p "$root"
cat >"$root/package.json" <<EOF
{
  "name": "shop",
  "private": true,
  "dependencies": { "@vendure/asset-server-plugin": "$version", "@vendure/core": "$version", "pg": "8.16.3" }
}
EOF
if (cd "$root" && timeout 600 npm install --ignore-scripts --before=2026-09-15 >install.log 2>&1); then
  echo "$version" >"$root/installed"
else
  tail -5 "$root/install.log"
  echo 'Vendure: the test with it is skipped, because the shop could not be installed'
fi
