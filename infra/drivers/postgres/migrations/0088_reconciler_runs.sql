-- expand
-- When each step of the reconciler last ended, and what it left for a person: for metrics and their alerts.
CREATE TABLE reconciler_runs (
  step             text PRIMARY KEY,
  at               timestamptz NOT NULL,
  problems         integer NOT NULL,
  -- Of the sweep: the oldest staged signal that it left.
  oldest_staged_at timestamptz
);
