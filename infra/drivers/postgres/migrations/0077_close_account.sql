-- Addresses of closed accounts are known again by a hash that only this database can make: the key is drawn here, so that a list of addresses
-- tried against the table of another service, or against a copy of this table alone, says nothing.
ALTER TABLE sign_up_policy
  ADD COLUMN address_key bytea NOT NULL DEFAULT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

CREATE FUNCTION address_hash(p_plain bytea) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(address_key || sha256(address_key || p_plain)) FROM sign_up_policy
$$;
UPDATE closed_addresses SET email_hash = address_hash(email_hash);

CREATE OR REPLACE FUNCTION close_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO closed_addresses VALUES (address_hash(sha256(convert_to(lower(OLD.email), 'UTF8'))), NEW.closed_at)
    ON CONFLICT (email_hash) DO UPDATE SET closed_at = excluded.closed_at;
  NEW.email := 'closed-' || OLD.id || '@account.invalid';
  NEW.password_hash := NULL;
  DELETE FROM sessions WHERE account_id = OLD.id;
  DELETE FROM account_links WHERE account_id = OLD.id;
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, NEW.closed_at), name = NULL, allow_ips = '{}' WHERE account_id = OLD.id;
  RETURN NEW;
END
$$;

-- What the sweep still has to remove of accounts that were closed lately.
CREATE INDEX accounts_closed ON accounts (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX fit_requests_account ON fit_requests (account_id);
