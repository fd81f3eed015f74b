#!/usr/bin/env bash
# Installs a Vendure 3 shop for test/connectors, below VENDURE_ROOT (default: /tmp/shelfwire-vendure): two minutes on two cores.
. "$(dirname "${BASH_SOURCE[0]}")/install-shop.sh"
root=${VENDURE_ROOT:-${TMPDIR:-/tmp}/shelfwire-vendure}
version=3.7.3
begin_shop Vendure "$version" two "\"@vendure/asset-server-plugin\": \"$version\", \"@vendure/core\": \"$version\", \"pg\": \"8.16.3\""
install_shop Vendure "$version" 2026-09-15
