-- Pages of what one code is about, `ok` as well as a refusal, from the index alone.
DROP INDEX request_log_codes;
CREATE INDEX request_log_codes ON request_log (account_id, code, at DESC, request_id DESC);

-- Admits one request or names why not; a key ends with its account, whatever its own row says. Compares key hashes through a keyed digest, so that the time taken tells nothing about the stored one,
-- and does the same work for a key id that does not exist. A 401 or 403 counts against no limit.
-- `p_while_suspended`: the endpoint is open to suspended accounts, too.
CREATE OR REPLACE FUNCTION admit_request(p_key text, p_hash bytea, p_nonce bytea, p_ip inet, p_scopes text[], p_endpoint text, p_request text,
                                         p_lease uuid, p_lease_seconds integer, p_while_suspended boolean)
RETURNS TABLE (outcome text, account_id uuid, mode text, at timestamptz, scopes text[], since timestamptz, message text,
               window_limit integer, remaining integer, reset_seconds double precision, retry_after double precision,
               burst integer, concurrency integer, daily_estimates integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  k record;
  s service_state;
  place record;
  known boolean;
BEGIN
  SELECT a.id, k1.mode, k1.scopes, k1.secret_hash, k1.allow_ips, coalesce(k1.revoked_at, a.closed_at) AS revoked_at, k1.expires_at, a.suspended_at, a.rps, a.burst, a.concurrency,
         a.daily_estimates
    INTO k FROM api_keys k1 JOIN accounts a ON a.id = k1.account_id WHERE k1.key_id = p_key;
  known := FOUND;
  at := clock_timestamp();
  IF sha256(coalesce(k.secret_hash, p_nonce) || p_nonce) <> sha256(p_hash || p_nonce) OR NOT known THEN
    outcome := 'UNAUTHENTICATED';
    RETURN NEXT;
    RETURN;
  END IF;
  account_id := k.id;
  mode := k.mode;
  scopes := k.scopes;
  burst := k.burst;
  concurrency := k.concurrency;
  daily_estimates := k.daily_estimates;
  window_limit := k.rps * 10;
  SELECT * INTO s FROM service_state;
  outcome := CASE
    WHEN k.revoked_at <= at THEN 'KEY_REVOKED'
    WHEN k.expires_at <= at THEN 'KEY_EXPIRED'
    WHEN k.suspended_at <= at AND NOT p_while_suspended THEN 'TENANT_SUSPENDED'
    WHEN cardinality(k.allow_ips) > 0 AND NOT EXISTS (SELECT FROM unnest(k.allow_ips) AS range WHERE p_ip <<= range) THEN 'IP_NOT_ALLOWED'
    WHEN NOT k.scopes && p_scopes THEN 'SCOPE_MISSING'
    WHEN NOT s.serving THEN 'SERVING_DISABLED'
    ELSE 'admitted' END;
  since := CASE outcome WHEN 'KEY_REVOKED' THEN k.revoked_at WHEN 'KEY_EXPIRED' THEN k.expires_at WHEN 'TENANT_SUSPENDED' THEN k.suspended_at END;
  message := CASE outcome WHEN 'SERVING_DISABLED' THEN s.message END;
  SELECT * INTO place FROM take_place(k.id, k.rps, k.burst, k.concurrency, outcome, p_key, k.mode, p_endpoint, p_request, p_lease, p_lease_seconds);
  retry_after := CASE outcome WHEN 'SERVING_DISABLED' THEN s.retry_after_seconds ELSE place.retry_after END;
  outcome := place.outcome;
  at := place.at;
  remaining := place.remaining;
  reset_seconds := place.reset_seconds;
  RETURN NEXT;
END
$$;

DROP FUNCTION admit_session(bytea, integer, text, text, text, uuid, integer, boolean);
-- The same for a session, by the hash of its token: all permissions, from any address, counted under the key id 'dashboard'.
-- `p_terms`: the version of the terms that has to be accepted; null: any.
CREATE FUNCTION admit_session(p_hash bytea, p_idle_days integer, p_mode text, p_endpoint text, p_request text, p_lease uuid,
                              p_lease_seconds integer, p_while_suspended boolean, p_terms text)
RETURNS TABLE (outcome text, account_id uuid, mode text, at timestamptz, scopes text[], since timestamptz, message text,
               window_limit integer, remaining integer, reset_seconds double precision, retry_after double precision,
               burst integer, concurrency integer, daily_estimates integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  k record;
  s service_state;
  place record;
BEGIN
  at := clock_timestamp();
  SELECT a.id, a.suspended_at, a.terms_accepted_at, a.rps, a.burst, a.concurrency, a.daily_estimates INTO k
    FROM sessions s1 JOIN accounts a ON a.id = s1.account_id
    WHERE s1.token_hash = p_hash AND s1.expires_at > at AND s1.last_seen_at > at - make_interval(days => p_idle_days) AND a.closed_at IS NULL;
  IF NOT FOUND THEN
    outcome := 'UNAUTHENTICATED';
    RETURN NEXT;
    RETURN;
  END IF;
  account_id := k.id;
  mode := p_mode;
  burst := k.burst;
  concurrency := k.concurrency;
  daily_estimates := k.daily_estimates;
  window_limit := k.rps * 10;
  SELECT * INTO s FROM service_state;
  outcome := CASE
    WHEN k.suspended_at <= at AND NOT p_while_suspended THEN 'TENANT_SUSPENDED'
    WHEN k.terms_accepted_at IS NULL OR NOT EXISTS (
      SELECT FROM terms_acceptances t WHERE t.account_id = k.id AND t.version = coalesce(p_terms, t.version)) THEN 'TERMS_NOT_ACCEPTED'
    WHEN NOT s.serving THEN 'SERVING_DISABLED'
    ELSE 'admitted' END;
  since := CASE outcome WHEN 'TENANT_SUSPENDED' THEN k.suspended_at END;
  message := CASE outcome WHEN 'SERVING_DISABLED' THEN s.message END;
  SELECT * INTO place
    FROM take_place(k.id, k.rps, k.burst, k.concurrency, outcome, 'dashboard', p_mode, p_endpoint, p_request, p_lease, p_lease_seconds);
  retry_after := CASE outcome WHEN 'SERVING_DISABLED' THEN s.retry_after_seconds ELSE place.retry_after END;
  outcome := place.outcome;
  at := place.at;
  remaining := place.remaining;
  reset_seconds := place.reset_seconds;
  RETURN NEXT;
END
$$;
