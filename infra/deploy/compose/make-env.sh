#!/bin/sh
# Prints fresh secrets for compose.yaml. Run it once and keep what it prints: without DATA_ENCRYPTION_KEY no stored
# model can be read again, and it belongs to the backup (BACKUP.md).
set -eu
secret() { openssl rand -hex 24; }
cat <<END
POSTGRES_PASSWORD=$(secret)
S3_ACCESS_KEY=eeg$(openssl rand -hex 8)
S3_SECRET_KEY=$(secret)
DATA_ENCRYPTION_KEY=$(openssl rand -base64 32)
SESSION_SECRET=$(secret)
GRAFANA_PASSWORD=$(secret)
END
