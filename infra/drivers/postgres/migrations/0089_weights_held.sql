-- expand
-- Which pretrained weights each process holds: an API answers with them, a worker reads trials with them. A process says
-- so again and again while it runs, and takes its row away when it ends; one of an earlier build has none.
CREATE TABLE weights_held (
  process text PRIMARY KEY,
  role    text NOT NULL CHECK (role IN ('api', 'worker')),
  -- Pins, as models have them: weights:ID@SHA256.
  weights text[] NOT NULL,
  seen_at timestamptz NOT NULL
);
