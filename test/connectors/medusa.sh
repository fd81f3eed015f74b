#!/usr/bin/env bash
# Installs a Medusa 2 shop from the npm registry for test/connectors, below MEDUSA_ROOT (default: /tmp/shelfwire-medusa): 700 MB, three
# minutes on two cores, and nothing when it is there already. Packages are those of a day, so that the same shop is installed every time.
# Where it cannot be done, one line says why, and the exit code is 0: the test is skipped.
set -euo pipefail
root=${MEDUSA_ROOT:-${TMPDIR:-/tmp}/shelfwire-medusa}
version=2.21.2
[ "$(cat "$root/installed" 2>/dev/null)" = "$version" ] && exit 0

echo "Medusa: installing the shop, some three minutes; its output goes to $root/install.log"
rm -rf "$root"
mkdir -p "$root/src/api"
cat >"$root/package.json" <<EOF
{
  "name": "shop",
  "private": true,
  "dependencies": { "@medusajs/cli": "$version", "@medusajs/framework": "$version", "@medusajs/medusa": "$version" }
}
EOF
cat >"$root/medusa-config.js" <<'EOF'
const { defineConfig } = require('@medusajs/framework/utils')
module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false, connection: { ssl: false } },
    http: { storeCors: '', adminCors: '', authCors: '', jwtSecret: 'of a test', cookieSecret: 'of a test' },
  },
  admin: { disable: true },
})
EOF
if (cd "$root" && timeout 600 npm install --ignore-scripts --before=2026-11-20 >install.log 2>&1); then
  echo "$version" >"$root/installed"
else
  tail -5 "$root/install.log"
  echo 'Medusa: the test with it is skipped, because the shop could not be installed'
fi
