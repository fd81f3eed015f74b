# Sourced by the scripts that install a shop, or generators of clients, from the npm registry, once, below `root`. Where it cannot be done, one line says why, and the exit
# code is 0: the test is skipped.
set -euo pipefail

# begin_shop NAME VERSION TIME DEPENDENCIES: ends the script where that version is there already; otherwise makes its package.json.
begin_shop() {
  [ "$(cat "$root/installed" 2>/dev/null)" = "$2" ] && exit 0
  echo "$1: installing it, some $3 minutes; its output goes to $root/install.log"
  rm -rf "$root"
  mkdir -p "$root"
  printf '{ "name": "shop", "private": true, "dependencies": { %s } }\n' "$4" >"$root/package.json"
}

# install_shop NAME VERSION DAY: packages are those of a day, so that the same shop is installed every time.
install_shop() {
  if (cd "$root" && timeout 600 npm install --ignore-scripts --before="$3" >install.log 2>&1); then
    echo "$2" >"$root/installed"
  else
    tail -5 "$root/install.log"
    echo "$1: the test with it is skipped, because it could not be installed"
  fi
}
