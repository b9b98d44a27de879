-- Task models: the truth about their state (design, decision 5). A row of status 'fitting' is an immediate create whose job still runs:
-- no reader ever sees it. Deleted rows stay, so that their id answers 404 with its status.
CREATE TABLE task_models (
  id              text PRIMARY KEY CHECK (id ~ '^clf_[0-9a-f]{32}$'),
  account_id      uuid NOT NULL REFERENCES accounts (id),
  mode            text NOT NULL CHECK (mode IN ('live', 'test')),
  name            text,
  description     text NOT NULL,
  status          text NOT NULL CHECK (status IN ('fitting', 'collecting', 'active', 'expired', 'deleted')),
  task_kind       text NOT NULL CHECK (task_kind IN ('erp', 'motor', 'sleep', 'other')),
  classes         text[] NOT NULL,
  channels        text[] NOT NULL,
  signal          jsonb NOT NULL,
  method          jsonb,
  training_report jsonb,
  model_ref       text,
  created_at      timestamptz NOT NULL,
  fitted_at       timestamptz,
  expires_at      timestamptz,
  collect_until   timestamptz,
  -- End of the last hosting month that was paid; never set in test mode.
  paid_through    timestamptz,
  next_charge_at  timestamptz GENERATED ALWAYS AS (
    CASE WHEN status = 'active' AND (expires_at IS NULL OR expires_at > paid_through) THEN paid_through END) STORED,
  -- Start of a hosting month that could not be paid, and when to try again.
  unpaid_since    timestamptz,
  retry_at        timestamptz,
  deleted_at      timestamptz,
  -- What the object store still holds and must not.
  cleanup         text NOT NULL DEFAULT 'none' CHECK (cleanup IN ('none', 'features', 'all')),
  CHECK (status <> 'active' OR (fitted_at IS NOT NULL AND model_ref IS NOT NULL AND method IS NOT NULL)),
  CHECK (status <> 'collecting' OR collect_until IS NOT NULL),
  CHECK (status <> 'active' OR mode = 'test' OR paid_through IS NOT NULL),
  CHECK (mode = 'live' OR paid_through IS NULL),
  CHECK ((unpaid_since IS NULL) = (retry_at IS NULL))
);
CREATE INDEX task_models_page ON task_models (account_id, created_at DESC, id DESC) WHERE status IN ('collecting', 'active');
CREATE INDEX task_models_unpaid ON task_models (account_id) WHERE unpaid_since IS NOT NULL AND status = 'active';
CREATE INDEX task_models_living ON task_models (status) WHERE status IN ('fitting', 'collecting', 'active') OR cleanup <> 'none';

-- Batches of a deferred fit: where their features lie, never the signal.
CREATE TABLE task_model_batches (
  model_id     text NOT NULL REFERENCES task_models (id) ON DELETE CASCADE,
  n            integer NOT NULL CHECK (n > 0),
  features_ref text NOT NULL UNIQUE,
  trials       integer NOT NULL CHECK (trials > 0),
  windows      integer NOT NULL CHECK (windows > 0),
  class_counts jsonb NOT NULL,
  signal       jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (model_id, n)
);

-- Candidates of a fit job as they are tried: progress for whoever asks while it runs.
CREATE TABLE fit_candidates (
  job_id            text NOT NULL,
  method_id         text NOT NULL,
  title             text NOT NULL,
  status            text NOT NULL CHECK (status IN ('running', 'scored', 'failed')),
  balanced_accuracy double precision,
  reason            text,
  seconds           double precision,
  at                timestamptz NOT NULL,
  PRIMARY KEY (job_id, method_id)
);
