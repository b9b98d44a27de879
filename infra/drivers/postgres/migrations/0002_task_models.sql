-- contract: 0.1.0
-- Task models, their batches and fit jobs.

-- State of the task models. Status 'fitting' is an immediate create whose job still runs; no reader ever sees it.
-- Deleted rows stay, so that their id answers 404 with its status.
CREATE TABLE task_models (
  id text PRIMARY KEY CHECK (id ~ '^clf_[0-9a-f]{32}$'),
  account_id uuid NOT NULL REFERENCES accounts,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  name text,
  description text NOT NULL,
  status text NOT NULL CHECK (status IN ('fitting', 'collecting', 'active', 'expired', 'deleted')),
  task_kind text NOT NULL CHECK (task_kind IN ('erp', 'motor', 'sleep', 'other')),
  classes text[] NOT NULL,
  channels text[] NOT NULL,
  signal jsonb NOT NULL,
  method jsonb,
  training_report jsonb,
  model_ref text,
  created_at timestamptz NOT NULL,
  fitted_at timestamptz,
  expires_at timestamptz,
  collect_until timestamptz,
  -- End of the last hosting month that was paid or waived; null in test mode. `lifecycle-sql.ts` computes the next
  -- charge from it.
  paid_through timestamptz,
  -- Start of a hosting month that could not be paid, and the time of the next attempt.
  unpaid_since timestamptz,
  retry_at timestamptz,
  deleted_at timestamptz,
  -- Objects that are still in the store and must be removed.
  cleanup text NOT NULL DEFAULT 'none' CHECK (cleanup IN ('none', 'features', 'all')),
  -- Versions of the code that the model needs, sorted: 'method:csp-lda@1', 'features:cov@1', 'resampler@1',
  -- 'format@2' …
  pins text[] NOT NULL DEFAULT '{}',
  -- Reference classes, explanation and evidence of a zero-shot model, as in its answers.
  reference jsonb,
  -- Bytes of the features of its batches.
  batch_bytes bigint NOT NULL DEFAULT 0,
  -- Since when predictions are refused, because labelling ended an API process; null: predictions are accepted.
  blocked_at timestamptz,
  CHECK (status <> 'active' OR fitted_at IS NOT NULL AND model_ref IS NOT NULL AND method IS NOT NULL),
  CHECK (status <> 'collecting' OR collect_until IS NOT NULL),
  CHECK (status <> 'active' OR mode = 'test' OR paid_through IS NOT NULL),
  CHECK (mode = 'live' OR paid_through IS NULL),
  CHECK ((unpaid_since IS NULL) = (retry_at IS NULL))
);
CREATE INDEX task_models_account ON task_models (account_id, id);
CREATE INDEX task_models_blocked ON task_models (blocked_at) WHERE blocked_at IS NOT NULL;
CREATE INDEX task_models_living ON task_models (status)
  WHERE status IN ('fitting', 'collecting', 'active') OR cleanup <> 'none';
CREATE INDEX task_models_page ON task_models (account_id, created_at DESC, id DESC)
  WHERE status IN ('collecting', 'active');
-- Models that count against the quotas of an account, in an index that is read without the rows.
CREATE INDEX task_models_stored ON task_models (account_id)
  INCLUDE (status, mode, batch_bytes, created_at, collect_until)
  WHERE status IN ('fitting', 'collecting', 'active');
CREATE INDEX task_models_unpaid ON task_models (account_id) WHERE unpaid_since IS NOT NULL AND status = 'active';

-- Batches of a deferred fit: the names of their feature objects, never the signal.
CREATE TABLE task_model_batches (
  model_id text REFERENCES task_models ON DELETE CASCADE,
  n integer CHECK (n > 0),
  features_ref text NOT NULL UNIQUE,
  trials integer NOT NULL CHECK (trials > 0),
  windows integer NOT NULL CHECK (windows > 0),
  class_counts jsonb NOT NULL,
  signal jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  pins text[] NOT NULL DEFAULT '{}',
  -- Bytes of its feature object.
  bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  PRIMARY KEY (model_id, n)
);

-- Links with which anybody reads the report of a model without an account. Only the SHA-256 of the 128 random bits in
-- the address is stored. A link that its owner ended, or whose model ended, is removed.
CREATE TABLE share_links (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  model_id text NOT NULL REFERENCES task_models ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  created_at timestamptz NOT NULL
);
CREATE INDEX share_links_model ON share_links (model_id);

-- The request of a fit job, and its final answer, written in the transaction that activates or abandons the model. A
-- row without `finished_at` is a job that must still end, whatever happened to its process or workflow.
CREATE TABLE fit_requests (
  job_id text PRIMARY KEY,
  model_id text NOT NULL,
  account_id uuid NOT NULL,
  request jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  status integer,
  body text,
  -- The job ends with this lease, because no later request can read its answer. Null: the answer is stored under a key,
  -- and the job continues without its request.
  lease_id uuid,
  -- Classes of a collecting model whose trials this fit leaves out. Not in `request`, which passes through Temporal.
  ignored_classes text[] NOT NULL DEFAULT '{}',
  CHECK ((finished_at IS NULL) = (status IS NULL) AND (status IS NULL) = (body IS NULL))
);
CREATE INDEX fit_requests_account ON fit_requests (account_id);
CREATE INDEX fit_requests_finished ON fit_requests (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX fit_requests_finished_unkeyed ON fit_requests (finished_at)
  WHERE finished_at IS NOT NULL AND request ->> 'idempotencyKey' IS NULL;
CREATE INDEX fit_requests_model ON fit_requests (model_id);
CREATE INDEX fit_requests_unfinished ON fit_requests (created_at) WHERE finished_at IS NULL;

-- Creates of test keys that began on a UTC day: immediate ones, zero-shot ones, and fits of deferred ones. Failed ones
-- count.
CREATE TABLE test_create_days (
  account_id uuid REFERENCES accounts,
  day date,
  creates bigint NOT NULL,
  PRIMARY KEY (account_id, day)
);

-- Progress of the candidates of a fit job. `dropped`: the candidate cannot catch up after its first fold.
CREATE TABLE fit_candidates (
  job_id text,
  method_id text,
  title text NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'scored', 'failed', 'dropped')),
  balanced_accuracy double precision,
  reason text,
  seconds double precision,
  at timestamptz NOT NULL,
  PRIMARY KEY (job_id, method_id)
);

-- Worker processes. A process renews `seen_at` every few seconds. `steady_since`: start of its last stretch of renewals
-- without a gap. `stopping_at`: when it was told to stop.
CREATE TABLE worker_processes (
  process text PRIMARY KEY,
  steady_since timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  stopping_at timestamptz
);

-- Attempts of jobs, each written before its work starts. `alone`: no other job ran in the process. `how` is null while
-- the attempt runs. `stopped`: cancelled, or the process was told to stop. `outage`: Postgres or the object store did
-- not answer. `lost`: Temporal gave the attempt up, but its process lives. `died`: the process ended without a known
-- reason.
CREATE TABLE job_attempts (
  job text,
  attempt integer CHECK (attempt > 0),
  process text NOT NULL,
  alone boolean NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  how text CHECK (how IN ('done', 'failed', 'stopped', 'outage', 'lost', 'died')),
  PRIMARY KEY (job, attempt),
  CHECK ((ended_at IS NULL) = (how IS NULL))
);
CREATE INDEX job_attempts_process ON job_attempts (process) WHERE ended_at IS NULL OR how = 'died';
CREATE INDEX job_attempts_started ON job_attempts (started_at);

-- Models that an API process was labelling with when it ended without a known reason. `alone`: no other model.
CREATE TABLE prediction_deaths (
  model_id text,
  process text,
  alone boolean NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (model_id, process)
);

-- Pretrained weights that each process has. A process renews its row while it runs and removes it when it ends.
CREATE TABLE weights_held (
  process text PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('api', 'worker')),
  weights text[] NOT NULL,
  seen_at timestamptz NOT NULL
);

-- Pins that the stored batches of a model need, sorted; null: it has no batches. A function, so that Postgres plans
-- this only for collecting models. Inside the statement that admits a request, its planning took a tenth of the time.
CREATE FUNCTION pins_of_batches(p_model text)
RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(DISTINCT pin COLLATE "C" ORDER BY pin COLLATE "C")
  FROM task_model_batches b, unnest(b.pins) AS pin WHERE b.model_id = p_model
$$;

-- Whether a fit of the model was requested and has not ended. A function for the same reason.
CREATE FUNCTION fit_is_asked_for(p_model text)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM fit_requests f WHERE f.model_id = p_model AND f.finished_at IS NULL)
$$;

-- When each step of the reconciler last ended, and how many problems it left for an operator. `oldest_staged_at`:
-- oldest staged signal that the sweep left.
CREATE TABLE reconciler_runs (
  step text PRIMARY KEY,
  at timestamptz NOT NULL,
  problems integer NOT NULL,
  oldest_staged_at timestamptz
);
