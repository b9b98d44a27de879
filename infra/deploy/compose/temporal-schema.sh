#!/bin/sh
# Temporal's own databases on the same Postgres server. Each step does nothing if it was done before.
set -eu
for kind in temporal visibility; do
  database=$([ "$kind" = temporal ] && echo temporal || echo temporal_visibility)
  temporal-sql-tool --database "$database" create-database
  temporal-sql-tool --database "$database" setup-schema --version 0.0
  temporal-sql-tool --database "$database" update-schema \
    --schema-dir "/etc/temporal/schema/postgresql/v12/$kind/versioned"
done
