-- What a model or a stored batch needs of the code to give the numbers it gave: texts such as 'method:csp-lda@1', 'features:cov@1', 'resampler@1'.
ALTER TABLE task_models ADD COLUMN pins text[] NOT NULL DEFAULT '{}';
ALTER TABLE task_model_batches ADD COLUMN pins text[] NOT NULL DEFAULT '{}';

UPDATE task_models SET pins = ARRAY[format('method:%s@%s', method ->> 'id', method ->> 'version')] WHERE status = 'active' AND method IS NOT NULL;

-- Hosting months that cost nothing, because the service could not serve the model when they began. With the ledger's hosting charges they cover the
-- time from the fit without gap or overlap; the first month is always charged, with the create.
CREATE TABLE hosting_waivers (
  model_id  text NOT NULL REFERENCES task_models (id),
  period    integer NOT NULL CHECK (period > 1),
  starts_at timestamptz NOT NULL,
  ends_at   timestamptz NOT NULL,
  reason    text NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (model_id, period),
  CHECK (ends_at = starts_at + interval '720 hours')
);
CREATE TRIGGER hosting_waivers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hosting_waivers
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
