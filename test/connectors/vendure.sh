#!/usr/bin/env bash
# Installs a Vendure 3 shop for test/connectors, below VENDURE_ROOT (default: /tmp/shelfwire-vendure): two minutes on two cores.
. "$(dirname "${BASH_SOURCE[0]}")/install-shop.sh"
root=${VENDURE_ROOT:-${TMPDIR:-/tmp}/shelfwire-vendure}
version=3.7.3
# 570 MB more, and some minutes of building when its page changes: VENDURE_DASHBOARD=yes
dashboard=
installed=$version
[ "${VENDURE_DASHBOARD:-}" = yes ] && dashboard=", \"@vendure/dashboard\": \"$version\"" installed="$version with its dashboard"
# what has it has all that is needed without it
[ "$(cat "$root/installed" 2>/dev/null)" = "$version with its dashboard" ] && exit 0
begin_shop Vendure "$installed" two "\"@vendure/asset-server-plugin\": \"$version\", \"@vendure/core\": \"$version\", \"pg\": \"8.16.3\"$dashboard"
install_shop Vendure "$installed" 2026-09-15
