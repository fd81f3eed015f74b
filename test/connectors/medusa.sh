#!/usr/bin/env bash
# Installs a Medusa 2 shop for test/connectors, below MEDUSA_ROOT (default: /tmp/shelfwire-medusa): 700 MB, three minutes on two cores.
. "$(dirname "${BASH_SOURCE[0]}")/install-shop.sh"
root=${MEDUSA_ROOT:-${TMPDIR:-/tmp}/shelfwire-medusa}
version=2.21.2
begin_shop Medusa "$version" three "\"@medusajs/cli\": \"$version\", \"@medusajs/framework\": \"$version\", \"@medusajs/medusa\": \"$version\""
mkdir -p "$root/src/api"
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
install_shop Medusa "$version" 2026-11-20
