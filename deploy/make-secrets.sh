#!/bin/sh
# sh make-secrets.sh [HOST]: the secrets that compose.yaml reads, in secrets/ beside this file, with a certificate that HOST signs itself
# (replace tls.crt and tls.key by real ones). What is there already stays.
set -eu
umask 077
host=${1:-localhost}
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets
keep() { [ -s "$1" ] || cat > "$1"; }
random() { openssl rand -hex 24; }
random | keep postgres_password
random | keep database_password
random | keep secret_key
password=$(cat database_password)
printf 'postgres://shelfwire:%s@pgbouncer:6432/shelfwire\n' "$password" | keep database_url
printf 'postgres://shelfwire:%s@database:5432/shelfwire\n' "$password" | keep database_direct_url
printf '"shelfwire" "%s"\n' "$password" | keep pgbouncer_users
if [ ! -s tls.crt ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj "/CN=$host" \
    -addext "subjectAltName=DNS:$host" -keyout tls.key -out tls.crt 2>/dev/null
fi
# containers read them as users of their own; the folder keeps others on this machine out
chmod 700 .
chmod 444 ./*
echo "secrets/ is complete; keep a copy of secret_key where the backups are not"
