-- Account pages: who is signed in, one-time links, failed attempts, who may sign up, and which terms were accepted.

-- Only the SHA-256 of the 256 random bits in the cookie is stored. A session that ends is removed.
CREATE TABLE sessions (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id   uuid NOT NULL REFERENCES accounts (id),
  token_hash   bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  created_at   timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_last_seen ON sessions (last_seen_at);

-- A link works once: it is removed when it is used. An invitation may be for one address, and may bring credit.
CREATE TABLE account_links (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  purpose    text NOT NULL CHECK (purpose IN ('reset', 'sign_in', 'invitation')),
  account_id uuid REFERENCES accounts (id),
  email      text,
  micro_usd  bigint CHECK (micro_usd > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((purpose = 'invitation') = (account_id IS NULL)),
  CHECK (purpose = 'invitation' OR (email IS NULL AND micro_usd IS NULL))
);
CREATE INDEX account_links_account ON account_links (account_id);
CREATE INDEX account_links_expiry ON account_links (expires_at);

-- Attempts of one kind by one subject (an address, an account), counted from the first one until the window ends.
CREATE TABLE account_attempts (
  kind    text NOT NULL,
  subject bytea NOT NULL CHECK (length(subject) = 32),
  count   integer NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject)
);
CREATE INDEX account_attempts_end ON account_attempts (ends_at);

CREATE TABLE sign_up_policy (
  only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  mode        text NOT NULL CHECK (mode IN ('open', 'invitation', 'closed')),
  free_credit text NOT NULL CHECK (free_credit IN ('at-once', 'waits'))
);
INSERT INTO sign_up_policy (mode, free_credit) VALUES ('invitation', 'at-once');

-- `accounts.terms_accepted_at` is the first acceptance of any version. What was accepted before versions were kept is named so.
CREATE TABLE terms_acceptances (
  account_id  uuid NOT NULL REFERENCES accounts (id),
  version     text NOT NULL,
  accepted_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, version)
);
INSERT INTO terms_acceptances (account_id, version, accepted_at)
  SELECT id, 'unversioned', terms_accepted_at FROM accounts WHERE terms_accepted_at IS NOT NULL;

-- `credit_waits_since`: the free credit waits for the operator's word. `closed_at`: the owner closed the account.
ALTER TABLE accounts ADD COLUMN credit_waits_since timestamptz, ADD COLUMN closed_at timestamptz;

-- Addresses whose account was closed: another one gets no free credit by itself. Only the SHA-256 of the address is kept.
CREATE TABLE closed_addresses (
  email_hash bytea PRIMARY KEY CHECK (length(email_hash) = 32),
  closed_at  timestamptz NOT NULL
);

-- Whatever closes an account ends every way into it, and frees its address.
CREATE FUNCTION close_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO closed_addresses VALUES (sha256(convert_to(lower(OLD.email), 'UTF8')), NEW.closed_at)
    ON CONFLICT (email_hash) DO UPDATE SET closed_at = excluded.closed_at;
  NEW.email := 'closed-' || OLD.id || '@account.invalid';
  NEW.password_hash := NULL;
  DELETE FROM sessions WHERE account_id = OLD.id;
  DELETE FROM account_links WHERE account_id = OLD.id;
  UPDATE api_keys SET revoked_at = NEW.closed_at WHERE account_id = OLD.id AND revoked_at IS NULL;
  RETURN NEW;
END
$$;
CREATE TRIGGER accounts_close BEFORE UPDATE ON accounts FOR EACH ROW
  WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION close_account();
