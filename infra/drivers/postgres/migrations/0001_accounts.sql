-- contract: 0.1.0
-- Accounts, API keys, sessions of the account pages, and sign-up.

-- An account, with the limits of all its keys together. A quota of null is no limit. A new account has the quotas of
-- `newAccountLimits`. `credit_waits_since`: the free credit waits for the operator. `closed_at`: the owner closed the
-- account.
CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL,
  password_hash text,
  terms_accepted_at timestamptz,
  suspended_at timestamptz,
  rps integer NOT NULL DEFAULT 10 CHECK (rps > 0),
  burst integer NOT NULL DEFAULT 20 CHECK (burst > 0),
  concurrency integer NOT NULL DEFAULT 8 CHECK (concurrency > 0),
  daily_estimates integer NOT NULL DEFAULT 200 CHECK (daily_estimates >= 0),
  daily_cap_micro_usd bigint CHECK (daily_cap_micro_usd >= 0),
  monthly_cap_micro_usd bigint CHECK (monthly_cap_micro_usd >= 0),
  daily_windows bigint CHECK (daily_windows >= 0),
  monthly_windows bigint CHECK (monthly_windows >= 0),
  daily_test_creates bigint CHECK (daily_test_creates >= 0),
  daily_test_windows bigint CHECK (daily_test_windows >= 0),
  collecting_models bigint CHECK (collecting_models >= 0),
  test_models bigint CHECK (test_models >= 0),
  live_models bigint CHECK (live_models >= 0),
  running_fits bigint CHECK (running_fits >= 0),
  batch_bytes bigint CHECK (batch_bytes >= 0),
  stored_answers bigint CHECK (stored_answers >= 0),
  stored_answer_bytes bigint CHECK (stored_answer_bytes >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  credit_waits_since timestamptz,
  closed_at timestamptz
);
CREATE INDEX accounts_closed ON accounts (closed_at) WHERE closed_at IS NOT NULL;
CREATE UNIQUE INDEX accounts_email_key ON accounts (lower(email));

-- Only a one-way hash of a key's secret is stored (spec, "Authentication").
CREATE TABLE api_keys (
  key_id text PRIMARY KEY CHECK (key_id ~ '^[A-Za-z0-9]{16}$'),
  account_id uuid NOT NULL REFERENCES accounts,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  allow_ips cidr[] NOT NULL DEFAULT '{}',
  name text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Rounded to the minute, so that a busy key does not write this row on each request.
  last_used_at timestamptz
);
CREATE INDEX api_keys_account ON api_keys (account_id);

-- Accepted versions of the terms. `accounts.terms_accepted_at` is the first acceptance of any version.
CREATE TABLE terms_acceptances (
  account_id uuid REFERENCES accounts,
  version text,
  accepted_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, version)
);

-- Sessions of the account pages. Only the SHA-256 of the 256 random bits in the cookie is stored. Ended sessions are
-- removed.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_last_seen ON sessions (last_seen_at);

-- One-time links, removed when they are used. An invitation may be for one address, and may bring credit.
CREATE TABLE account_links (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('reset', 'sign_in', 'invitation')),
  account_id uuid REFERENCES accounts,
  email text,
  micro_usd bigint CHECK (micro_usd > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((purpose = 'invitation') = (account_id IS NULL)),
  CHECK (purpose = 'invitation' OR email IS NULL AND micro_usd IS NULL)
);
CREATE INDEX account_links_account ON account_links (account_id);
CREATE INDEX account_links_expiry ON account_links (expires_at);

-- Attempts of one kind by one subject (an address, an account), counted from the first one until the window ends.
CREATE TABLE account_attempts (
  kind text,
  subject bytea CHECK (length(subject) = 32),
  count integer NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject)
);
CREATE INDEX account_attempts_end ON account_attempts (ends_at);

-- Who may sign up. `address_key` is generated here and never leaves the database.
CREATE TABLE sign_up_policy (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  mode text NOT NULL CHECK (mode IN ('open', 'invitation', 'closed')),
  free_credit text NOT NULL CHECK (free_credit IN ('at-once', 'waits')),
  address_key bytea NOT NULL DEFAULT (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);

INSERT INTO sign_up_policy (mode, free_credit) VALUES ('invitation', 'at-once');

-- Addresses of closed accounts, which get no second free credit by themselves. Only a keyed hash is stored.
CREATE TABLE closed_addresses (
  email_hash bytea PRIMARY KEY CHECK (length(email_hash) = 32),
  closed_at timestamptz NOT NULL
);

-- Hash of an address with a key of this database, so that a copy of `closed_addresses` reveals nothing.
CREATE FUNCTION address_hash(p_plain bytea)
RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(address_key || sha256(address_key || p_plain)) FROM sign_up_policy
$$;

-- Closing an account ends its keys, sessions and links, and frees its address.
CREATE FUNCTION close_account()
RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO closed_addresses VALUES (address_hash(sha256(convert_to(lower(OLD.email), 'UTF8'))), NEW.closed_at)
    ON CONFLICT (email_hash) DO UPDATE SET closed_at = excluded.closed_at;
  NEW.email := 'closed-' || OLD.id || '@account.invalid';
  NEW.password_hash := NULL;
  DELETE FROM sessions WHERE account_id = OLD.id;
  DELETE FROM account_links WHERE account_id = OLD.id;
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, NEW.closed_at), name = NULL, allow_ips = '{}'
    WHERE account_id = OLD.id;
  RETURN NEW;
END
$$;

CREATE TRIGGER accounts_close BEFORE UPDATE ON accounts FOR EACH ROW
  WHEN (old.closed_at IS NULL AND new.closed_at IS NOT NULL)
  EXECUTE FUNCTION close_account();
