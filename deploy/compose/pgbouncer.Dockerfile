# Debian's PgBouncer; that of trixie (1.24) supports prepared statements in transaction mode.
FROM debian:trixie-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends pgbouncer \
 && rm -rf /var/lib/apt/lists/*
USER 65534:65534
EXPOSE 6432
CMD ["/usr/sbin/pgbouncer", "/etc/pgbouncer/pgbouncer.ini"]
