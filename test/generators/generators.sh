#!/usr/bin/env bash
# Installs generators of clients for test/generators, below GENERATORS_ROOT (default: /tmp/shelfwire-generators): 110 MB, a minute or two on two cores.
. "$(dirname "${BASH_SOURCE[0]}")/../connectors/install-shop.sh"
root=${GENERATORS_ROOT:-${TMPDIR:-/tmp}/shelfwire-generators}
versions="openapi-typescript 7.13.0, orval 8.38.0, hey-api 0.99.0, typescript 5.9.3"
begin_shop Generators "$versions" two '"openapi-typescript": "7.13.0", "orval": "8.38.0", "@hey-api/openapi-ts": "0.99.0", "typescript": "5.9.3"'
install_shop Generators "$versions" 2026-11-28
