-- What a fit job was asked to do and its terminal answer, written in the transaction that activates or abandons the model.
-- A row without `finished_at` is work that must still end, whatever happened to the process or the workflow that had it.
CREATE TABLE fit_requests (
  job_id      text PRIMARY KEY,
  model_id    text NOT NULL,
  account_id  uuid NOT NULL,
  request     jsonb NOT NULL,
  created_at  timestamptz NOT NULL,
  finished_at timestamptz,
  status      integer,
  body        text,
  CHECK ((finished_at IS NULL) = (status IS NULL) AND (status IS NULL) = (body IS NULL))
);
CREATE INDEX fit_requests_model ON fit_requests (model_id);
CREATE INDEX fit_requests_unfinished ON fit_requests (created_at) WHERE finished_at IS NULL;
CREATE INDEX fit_requests_finished ON fit_requests (finished_at) WHERE finished_at IS NOT NULL;
