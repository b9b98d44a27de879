-- A candidate that cannot catch up after its first fold is not scored on the others.
ALTER TABLE fit_candidates DROP CONSTRAINT fit_candidates_status_check;
ALTER TABLE fit_candidates ADD CONSTRAINT fit_candidates_status_check
  CHECK (status IN ('running', 'scored', 'failed', 'dropped'));
