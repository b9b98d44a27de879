-- What a model without trials of its owner's rests on: reference classes, explanation and evidence as they are
-- answered.
ALTER TABLE task_models ADD COLUMN reference jsonb;

-- Estimates that were answered "not ready" and counted: until they are ready the same request of that day counts no
-- more.
CREATE TABLE estimate_waits (
  account_id   uuid NOT NULL REFERENCES accounts,
  day          date NOT NULL,
  request_hash text NOT NULL,
  PRIMARY KEY (account_id, day, request_hash)
);
CREATE INDEX estimate_waits_day ON estimate_waits (day);
