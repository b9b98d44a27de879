-- Accounts and API keys. Only a one-way hash of a key's secret is stored (spec, "Authentication").
CREATE TABLE accounts (
  id                    uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email                 text NOT NULL,
  password_hash         text,
  terms_accepted_at     timestamptz,
  suspended_at          timestamptz,
  rps                   integer NOT NULL DEFAULT 10 CHECK (rps > 0),
  burst                 integer NOT NULL DEFAULT 20 CHECK (burst > 0),
  concurrency           integer NOT NULL DEFAULT 8 CHECK (concurrency > 0),
  daily_estimates       integer NOT NULL DEFAULT 200 CHECK (daily_estimates >= 0),
  daily_cap_micro_usd   bigint CHECK (daily_cap_micro_usd >= 0),
  monthly_cap_micro_usd bigint CHECK (monthly_cap_micro_usd >= 0),
  daily_windows         bigint CHECK (daily_windows >= 0),
  monthly_windows       bigint CHECK (monthly_windows >= 0),
  created_at            timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email));

CREATE TABLE api_keys (
  key_id      text PRIMARY KEY CHECK (key_id ~ '^[A-Za-z0-9]{16}$'),
  account_id  uuid NOT NULL REFERENCES accounts (id),
  mode        text NOT NULL CHECK (mode IN ('live', 'test')),
  secret_hash bytea NOT NULL,
  scopes      text[] NOT NULL,
  allow_ips   cidr[] NOT NULL DEFAULT '{}',
  name        text,
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz,
  revoked_at  timestamptz
);
CREATE INDEX api_keys_account ON api_keys (account_id);
