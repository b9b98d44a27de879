-- expand
-- What one account's request waits for is waited for by all that go in its statement: a statement that begins the same
-- Idempotency-Key, or a transaction that holds the row of its account. After half a second each asks for itself.
ALTER FUNCTION admit_requests_together(
  bytea, text[], boolean, integer, text[], bytea[], integer[], inet[], uuid[], text[], text[]) SET lock_timeout = '500ms';
