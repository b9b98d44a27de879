-- A job without an Idempotency-Key lives as long as the request that waits for it: `lease_id` is that request's lease. Null: the job goes on by
-- itself, because its answer waits under a key.
ALTER TABLE fit_requests ADD COLUMN lease_id uuid;

-- Locks are renewed together with the leases of running requests, by the lease's id.
CREATE INDEX idempotency_keys_lock ON idempotency_keys (lock_id) WHERE state = 'running';
