-- Generated, not run: the schema after all migrations. docs/develop.md says how to update it.

CREATE TABLE account_attempts (
  kind text NOT NULL,
  subject bytea NOT NULL,
  count integer NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  CONSTRAINT account_attempts_pkey PRIMARY KEY (kind, subject),
  CONSTRAINT account_attempts_subject_check CHECK (length(subject) = 32)
);
CREATE INDEX account_attempts_end ON account_attempts USING btree (ends_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON account_attempts TO eeg_service;

CREATE TABLE account_links (
  token_hash bytea NOT NULL,
  purpose text NOT NULL,
  account_id uuid,
  email text,
  micro_usd bigint,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT account_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT account_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT account_links_check CHECK ((purpose = 'invitation'::text) = (account_id IS NULL)),
  CONSTRAINT account_links_check1 CHECK (purpose = 'invitation'::text OR email IS NULL AND micro_usd IS NULL),
  CONSTRAINT account_links_micro_usd_check CHECK (micro_usd > 0),
  CONSTRAINT account_links_purpose_check CHECK (purpose = ANY (ARRAY['reset'::text, 'sign_in'::text, 'invitation'::text])),
  CONSTRAINT account_links_token_hash_check CHECK (length(token_hash) = 32)
);
CREATE INDEX account_links_account ON account_links USING btree (account_id);
CREATE INDEX account_links_expiry ON account_links USING btree (expires_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON account_links TO eeg_service;

CREATE TABLE accounts (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  email text NOT NULL,
  password_hash text,
  terms_accepted_at timestamp with time zone,
  suspended_at timestamp with time zone,
  rps integer DEFAULT 10 NOT NULL,
  burst integer DEFAULT 20 NOT NULL,
  concurrency integer DEFAULT 8 NOT NULL,
  daily_estimates integer DEFAULT 200 NOT NULL,
  daily_cap_micro_usd bigint,
  monthly_cap_micro_usd bigint,
  daily_windows bigint,
  monthly_windows bigint,
  daily_test_creates bigint,
  daily_test_windows bigint,
  collecting_models bigint,
  test_models bigint,
  live_models bigint,
  running_fits bigint,
  batch_bytes bigint,
  stored_answers bigint,
  stored_answer_bytes bigint,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  credit_waits_since timestamp with time zone,
  closed_at timestamp with time zone,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_batch_bytes_check CHECK (batch_bytes >= 0),
  CONSTRAINT accounts_burst_check CHECK (burst > 0),
  CONSTRAINT accounts_collecting_models_check CHECK (collecting_models >= 0),
  CONSTRAINT accounts_concurrency_check CHECK (concurrency > 0),
  CONSTRAINT accounts_daily_cap_micro_usd_check CHECK (daily_cap_micro_usd >= 0),
  CONSTRAINT accounts_daily_estimates_check CHECK (daily_estimates >= 0),
  CONSTRAINT accounts_daily_test_creates_check CHECK (daily_test_creates >= 0),
  CONSTRAINT accounts_daily_test_windows_check CHECK (daily_test_windows >= 0),
  CONSTRAINT accounts_daily_windows_check CHECK (daily_windows >= 0),
  CONSTRAINT accounts_live_models_check CHECK (live_models >= 0),
  CONSTRAINT accounts_monthly_cap_micro_usd_check CHECK (monthly_cap_micro_usd >= 0),
  CONSTRAINT accounts_monthly_windows_check CHECK (monthly_windows >= 0),
  CONSTRAINT accounts_rps_check CHECK (rps > 0),
  CONSTRAINT accounts_running_fits_check CHECK (running_fits >= 0),
  CONSTRAINT accounts_stored_answer_bytes_check CHECK (stored_answer_bytes >= 0),
  CONSTRAINT accounts_stored_answers_check CHECK (stored_answers >= 0),
  CONSTRAINT accounts_test_models_check CHECK (test_models >= 0)
);
CREATE INDEX accounts_closed ON accounts USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE UNIQUE INDEX accounts_email_key ON accounts USING btree (lower(email));
CREATE TRIGGER accounts_close BEFORE UPDATE ON accounts FOR EACH ROW WHEN (((old.closed_at IS NULL) AND (new.closed_at IS NOT NULL))) EXECUTE FUNCTION close_account();
GRANT DELETE, INSERT, SELECT, UPDATE ON accounts TO eeg_service;

CREATE TABLE api_keys (
  key_id text NOT NULL,
  account_id uuid NOT NULL,
  mode text NOT NULL,
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  allow_ips cidr[] DEFAULT '{}'::cidr[] NOT NULL,
  name text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT api_keys_pkey PRIMARY KEY (key_id),
  CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT api_keys_key_id_check CHECK (key_id ~ '^[A-Za-z0-9]{16}$'::text),
  CONSTRAINT api_keys_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
);
CREATE INDEX api_keys_account ON api_keys USING btree (account_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON api_keys TO eeg_service;

CREATE TABLE closed_addresses (
  email_hash bytea NOT NULL,
  closed_at timestamp with time zone NOT NULL,
  CONSTRAINT closed_addresses_pkey PRIMARY KEY (email_hash),
  CONSTRAINT closed_addresses_email_hash_check CHECK (length(email_hash) = 32)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON closed_addresses TO eeg_service;

CREATE TABLE ended_answers (
  object text NOT NULL,
  CONSTRAINT ended_answers_pkey PRIMARY KEY (object)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON ended_answers TO eeg_service;

CREATE TABLE estimate_days (
  account_id uuid NOT NULL,
  day date NOT NULL,
  estimates integer NOT NULL,
  CONSTRAINT estimate_days_pkey PRIMARY KEY (account_id, day),
  CONSTRAINT estimate_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON estimate_days TO eeg_service;

CREATE TABLE estimate_waits (
  account_id uuid NOT NULL,
  day date NOT NULL,
  request_hash text NOT NULL,
  CONSTRAINT estimate_waits_pkey PRIMARY KEY (account_id, day, request_hash),
  CONSTRAINT estimate_waits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX estimate_waits_day ON estimate_waits USING btree (day);
GRANT DELETE, INSERT, SELECT, UPDATE ON estimate_waits TO eeg_service;

CREATE TABLE fit_candidates (
  job_id text NOT NULL,
  method_id text NOT NULL,
  title text NOT NULL,
  status text NOT NULL,
  balanced_accuracy double precision,
  reason text,
  seconds double precision,
  at timestamp with time zone NOT NULL,
  CONSTRAINT fit_candidates_pkey PRIMARY KEY (job_id, method_id),
  CONSTRAINT fit_candidates_status_check CHECK (status = ANY (ARRAY['running'::text, 'scored'::text, 'failed'::text, 'dropped'::text]))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON fit_candidates TO eeg_service;

CREATE TABLE fit_requests (
  job_id text NOT NULL,
  model_id text NOT NULL,
  account_id uuid NOT NULL,
  request jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  status integer,
  body text,
  lease_id uuid,
  ignored_classes text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT fit_requests_pkey PRIMARY KEY (job_id),
  CONSTRAINT fit_requests_check CHECK ((finished_at IS NULL) = (status IS NULL) AND (status IS NULL) = (body IS NULL))
);
CREATE INDEX fit_requests_account ON fit_requests USING btree (account_id);
CREATE INDEX fit_requests_finished ON fit_requests USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX fit_requests_finished_unkeyed ON fit_requests USING btree (finished_at) WHERE ((finished_at IS NOT NULL) AND ((request ->> 'idempotencyKey'::text) IS NULL));
CREATE INDEX fit_requests_model ON fit_requests USING btree (model_id);
CREATE INDEX fit_requests_unfinished ON fit_requests USING btree (created_at) WHERE (finished_at IS NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON fit_requests TO eeg_service;

CREATE TABLE holds (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  account_id uuid NOT NULL,
  model_id text NOT NULL,
  amount bigint NOT NULL,
  state text DEFAULT 'open'::text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  resolved_at timestamp with time zone,
  create_fee bigint NOT NULL,
  hosting_month bigint NOT NULL,
  CONSTRAINT holds_pkey PRIMARY KEY (id),
  CONSTRAINT holds_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  CONSTRAINT holds_amount_check CHECK (amount > 0),
  CONSTRAINT holds_amount_is_its_prices CHECK (amount = (create_fee + hosting_month)),
  CONSTRAINT holds_check CHECK ((state = 'open'::text) = (resolved_at IS NULL)),
  CONSTRAINT holds_create_fee_check CHECK (create_fee > 0),
  CONSTRAINT holds_hosting_month_check CHECK (hosting_month > 0),
  CONSTRAINT holds_state_check CHECK (state = ANY (ARRAY['open'::text, 'captured'::text, 'released'::text]))
);
CREATE INDEX holds_open ON holds USING btree (account_id) WHERE (state = 'open'::text);
CREATE INDEX holds_resolved ON holds USING btree (resolved_at) WHERE (resolved_at IS NOT NULL);
CREATE TRIGGER holds_kept BEFORE DELETE ON holds FOR EACH ROW EXECUTE FUNCTION hold_is_kept();
CREATE TRIGGER holds_not_truncated BEFORE TRUNCATE ON holds FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER holds_resolve_once BEFORE UPDATE ON holds FOR EACH ROW EXECUTE FUNCTION hold_resolves_once();
GRANT DELETE, INSERT, SELECT, UPDATE ON holds TO eeg_service;

CREATE TABLE hosting_waivers (
  model_id text NOT NULL,
  period integer NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  reason text NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT hosting_waivers_pkey PRIMARY KEY (model_id, period),
  CONSTRAINT hosting_waivers_model_id_fkey FOREIGN KEY (model_id) REFERENCES task_models(id),
  CONSTRAINT hosting_waivers_check CHECK (ends_at = (starts_at + '720:00:00'::interval)),
  CONSTRAINT hosting_waivers_period_check CHECK (period > 1)
);
CREATE TRIGGER hosting_waivers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON hosting_waivers FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
GRANT INSERT, SELECT ON hosting_waivers TO eeg_service;

CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL,
  mode text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  state text NOT NULL,
  lock_id uuid,
  locked_until timestamp with time zone,
  job jsonb,
  response_status integer,
  response_body text,
  response_ref text,
  response_bytes bigint,
  model_id text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, mode, key),
  CONSTRAINT idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT idempotency_keys_check CHECK (request_hash <> ''::text OR state = 'running'::text AND job IS NULL),
  CONSTRAINT idempotency_keys_check1 CHECK ((state = 'done'::text) = (response_status IS NOT NULL AND response_bytes IS NOT NULL AND num_nonnulls(response_body, response_ref)::double precision = sign(response_bytes::double precision))),
  CONSTRAINT idempotency_keys_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  CONSTRAINT idempotency_keys_state_check CHECK (state = ANY (ARRAY['running'::text, 'done'::text]))
) WITH (fillfactor=50);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_lock ON idempotency_keys USING btree (lock_id);
CREATE INDEX idempotency_keys_model ON idempotency_keys USING btree (model_id) WHERE (model_id IS NOT NULL);
CREATE TRIGGER idempotency_keys_erased AFTER UPDATE ON idempotency_keys FOR EACH ROW WHEN (((old.state = 'done'::text) AND (new.response_bytes = 0))) EXECUTE FUNCTION count_erased_answer();
CREATE TRIGGER idempotency_keys_removed AFTER DELETE ON idempotency_keys REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_answers();
CREATE TRIGGER idempotency_keys_stored AFTER UPDATE ON idempotency_keys FOR EACH ROW WHEN (((old.state = 'running'::text) AND (new.state = 'done'::text))) EXECUTE FUNCTION count_stored_answer();
GRANT DELETE, INSERT, SELECT, UPDATE ON idempotency_keys TO eeg_service;

CREATE TABLE job_attempts (
  job text NOT NULL,
  attempt integer NOT NULL,
  process text NOT NULL,
  alone boolean NOT NULL,
  started_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  how text,
  CONSTRAINT job_attempts_pkey PRIMARY KEY (job, attempt),
  CONSTRAINT job_attempts_attempt_check CHECK (attempt > 0),
  CONSTRAINT job_attempts_check CHECK ((ended_at IS NULL) = (how IS NULL)),
  CONSTRAINT job_attempts_how_check CHECK (how = ANY (ARRAY['done'::text, 'failed'::text, 'stopped'::text, 'outage'::text, 'lost'::text, 'died'::text]))
);
CREATE INDEX job_attempts_process ON job_attempts USING btree (process) WHERE ((ended_at IS NULL) OR (how = 'died'::text));
CREATE INDEX job_attempts_started ON job_attempts USING btree (started_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON job_attempts TO eeg_service;

CREATE TABLE ledger_closings (
  number bigint NOT NULL,
  after_id bigint NOT NULL,
  through_id bigint NOT NULL,
  seal_hash bytea NOT NULL,
  transactions bigint NOT NULL,
  sums jsonb NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  closed_at timestamp with time zone NOT NULL,
  CONSTRAINT ledger_closings_pkey PRIMARY KEY (number),
  CONSTRAINT ledger_closings_hash_key UNIQUE (hash),
  CONSTRAINT ledger_closings_previous_key UNIQUE (previous),
  CONSTRAINT ledger_closings_check CHECK (through_id > after_id),
  CONSTRAINT ledger_closings_hash_check CHECK (length(hash) = 32),
  CONSTRAINT ledger_closings_number_check CHECK (number > 0),
  CONSTRAINT ledger_closings_transactions_check CHECK (transactions > 0)
);
CREATE TRIGGER ledger_closings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_closings FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
GRANT INSERT, SELECT ON ledger_closings TO eeg_service;

CREATE TABLE ledger_entries (
  transaction_id bigint NOT NULL,
  account_id uuid NOT NULL,
  ledger_account text NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (transaction_id, ledger_account),
  CONSTRAINT ledger_entries_amount_check CHECK (amount <> 0),
  CONSTRAINT ledger_entries_ledger_account_check CHECK (ledger_account = ANY (ARRAY['wallet'::text, 'held'::text, 'source.free'::text, 'source.operator'::text, 'revenue.task_models.create_fee'::text, 'revenue.task_models.hosting'::text, 'revenue.task_models.predict'::text]))
) PARTITION BY RANGE (transaction_id);
CREATE TABLE ledger_entries_first PARTITION OF ledger_entries FOR VALUES FROM (MINVALUE) TO ('2020010000000000');
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_entries_cache AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_cache_sums();
GRANT INSERT, SELECT ON ledger_entries TO eeg_service;

CREATE TABLE ledger_months (
  month date NOT NULL,
  CONSTRAINT ledger_months_pkey PRIMARY KEY (month),
  CONSTRAINT ledger_months_month_check CHECK (EXTRACT(day FROM month) = 1::numeric)
);
CREATE TRIGGER ledger_months_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_months FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
GRANT SELECT ON ledger_months TO eeg_service;

CREATE TABLE ledger_once (
  key text NOT NULL,
  transaction_id bigint NOT NULL,
  CONSTRAINT ledger_once_pkey PRIMARY KEY (key)
);
CREATE TRIGGER ledger_once_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_once FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
GRANT SELECT ON ledger_once TO eeg_service;

CREATE TABLE ledger_seals (
  number bigint NOT NULL,
  branch integer NOT NULL,
  origin text NOT NULL,
  after_id bigint NOT NULL,
  through_id bigint NOT NULL,
  transactions integer NOT NULL,
  unsound integer NOT NULL,
  sums jsonb NOT NULL,
  content bytea NOT NULL,
  leaves bytea NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  sealed_at timestamp with time zone NOT NULL,
  CONSTRAINT ledger_seals_pkey PRIMARY KEY (number),
  CONSTRAINT ledger_seals_hash_key UNIQUE (hash),
  CONSTRAINT ledger_seals_previous_key UNIQUE (previous),
  CONSTRAINT ledger_seals_branch_check CHECK (branch > 0),
  CONSTRAINT ledger_seals_check CHECK (through_id > after_id),
  CONSTRAINT ledger_seals_content_check CHECK (length(content) = 32),
  CONSTRAINT ledger_seals_hash_check CHECK (length(hash) = 32),
  CONSTRAINT ledger_seals_number_check CHECK (number > 0),
  CONSTRAINT ledger_seals_transactions_check CHECK (transactions > 0),
  CONSTRAINT ledger_seals_unsound_check CHECK (unsound >= 0)
);
CREATE TRIGGER ledger_seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_seals FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
GRANT INSERT, SELECT ON ledger_seals TO eeg_service;

CREATE TABLE ledger_transactions (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL,
  model_id text,
  hold_id uuid,
  period integer,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  windows bigint,
  note text,
  at timestamp with time zone NOT NULL,
  unit_price bigint,
  CONSTRAINT ledger_transactions_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_transactions_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets(account_id),
  CONSTRAINT ledger_charges_have_a_unit_price CHECK ((kind ~~ 'task_models.%'::text OR kind = 'credit.free'::text) = (unit_price IS NOT NULL)),
  CONSTRAINT ledger_transactions_sound CHECK (ledger_transaction_is_sound(kind, model_id, hold_id, period, starts_at, ends_at, windows, unit_price))
) PARTITION BY RANGE (id);
CREATE TABLE ledger_transactions_first PARTITION OF ledger_transactions FOR VALUES FROM (MINVALUE) TO ('2020010000000000');
CREATE INDEX ledger_transactions_account ON ONLY ledger_transactions USING btree (account_id, at);
CREATE INDEX ledger_transactions_free_credit ON ONLY ledger_transactions USING btree (account_id) WHERE (kind = 'credit.free'::text);
CREATE INDEX ledger_transactions_hold ON ONLY ledger_transactions USING btree (hold_id) WHERE (hold_id IS NOT NULL);
CREATE INDEX ledger_transactions_page ON ONLY ledger_transactions USING btree (account_id, id DESC);
CREATE INDEX ledger_transactions_period ON ONLY ledger_transactions USING btree (model_id, kind, period) WHERE (period IS NOT NULL);
CREATE TRIGGER ledger_transactions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_transactions FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_transactions_check AFTER INSERT ON ledger_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_transactions();
GRANT SELECT ON ledger_transactions TO eeg_service;
GRANT INSERT (account_id), INSERT (at), INSERT (ends_at), INSERT (hold_id), INSERT (kind), INSERT (model_id), INSERT (note), INSERT (period), INSERT (starts_at), INSERT (unit_price), INSERT (windows) ON ledger_transactions TO eeg_service;

CREATE TABLE prediction_deaths (
  model_id text NOT NULL,
  process text NOT NULL,
  alone boolean NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT prediction_deaths_pkey PRIMARY KEY (model_id, process)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON prediction_deaths TO eeg_service;

CREATE TABLE rate_windows (
  account_id uuid NOT NULL,
  window_start timestamp with time zone NOT NULL,
  window_count integer NOT NULL,
  second_start timestamp with time zone NOT NULL,
  second_count integer NOT NULL,
  CONSTRAINT rate_windows_pkey PRIMARY KEY (account_id),
  CONSTRAINT rate_windows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON rate_windows TO eeg_service;

CREATE TABLE reconciler_runs (
  step text NOT NULL,
  at timestamp with time zone NOT NULL,
  problems integer NOT NULL,
  oldest_staged_at timestamp with time zone,
  CONSTRAINT reconciler_runs_pkey PRIMARY KEY (step)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON reconciler_runs TO eeg_service;

CREATE TABLE reference_fits (
  key text NOT NULL,
  request jsonb NOT NULL,
  status text NOT NULL,
  retryable boolean DEFAULT false NOT NULL,
  reason text,
  done double precision DEFAULT 0 NOT NULL,
  usual_seconds double precision NOT NULL,
  ref text,
  pins jsonb,
  evidence jsonb,
  started_at timestamp with time zone,
  asked_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  account_id uuid,
  CONSTRAINT reference_fits_pkey PRIMARY KEY (key),
  CONSTRAINT reference_fits_check CHECK ((status = 'ready'::text) = (ref IS NOT NULL) AND (ref IS NULL) = (pins IS NULL) AND (ref IS NULL) = (evidence IS NULL)),
  CONSTRAINT reference_fits_done_check CHECK (done >= 0::double precision AND done <= 1::double precision),
  CONSTRAINT reference_fits_status_check CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'ready'::text, 'failed'::text, 'required'::text])),
  CONSTRAINT reference_fits_usual_seconds_check CHECK (usual_seconds > 0::double precision)
);
CREATE INDEX reference_fits_asked ON reference_fits USING btree (asked_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON reference_fits TO eeg_service;

CREATE TABLE reference_people (
  data_set text NOT NULL,
  version text NOT NULL,
  task text NOT NULL,
  features_version text NOT NULL,
  person text NOT NULL,
  status text NOT NULL,
  ref text,
  own boolean DEFAULT false NOT NULL,
  reason text,
  files integer DEFAULT 0 NOT NULL,
  all_files integer NOT NULL,
  bytes bigint DEFAULT 0 NOT NULL,
  all_bytes bigint NOT NULL,
  seconds double precision,
  started_at timestamp with time zone,
  CONSTRAINT reference_people_pkey PRIMARY KEY (data_set, version, task, features_version, person),
  CONSTRAINT reference_people_data_set_version_task_features_version_fkey FOREIGN KEY (data_set, version, task, features_version) REFERENCES reference_preparations(data_set, version, task, features_version) ON DELETE CASCADE,
  CONSTRAINT reference_people_check CHECK ((ref IS NOT NULL) = (status = 'used'::text)),
  CONSTRAINT reference_people_check1 CHECK ((reason IS NOT NULL) = (status = ANY (ARRAY['faulty'::text, 'interrupted'::text]))),
  CONSTRAINT reference_people_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'running'::text, 'used'::text, 'part'::text, 'missing'::text, 'faulty'::text, 'interrupted'::text]))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON reference_people TO eeg_service;

CREATE TABLE reference_preparations (
  data_set text NOT NULL,
  version text NOT NULL,
  task text NOT NULL,
  features_version text NOT NULL,
  status text NOT NULL,
  retryable boolean DEFAULT false NOT NULL,
  reason text,
  usual_seconds_per_byte double precision NOT NULL,
  usual_bytes double precision NOT NULL,
  all_people integer NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  started_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT reference_preparations_pkey PRIMARY KEY (data_set, version, task, features_version),
  CONSTRAINT reference_preparations_all_people_check CHECK (all_people >= 0),
  CONSTRAINT reference_preparations_status_check CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'ready'::text, 'failed'::text, 'required'::text])),
  CONSTRAINT reference_preparations_usual_seconds_per_byte_check CHECK (usual_seconds_per_byte > 0::double precision)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON reference_preparations TO eeg_service;

CREATE TABLE request_leases (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT request_leases_pkey PRIMARY KEY (id)
);
CREATE INDEX request_leases_account ON request_leases USING btree (account_id, expires_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON request_leases TO eeg_service;

CREATE TABLE request_log (
  account_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  request_id text NOT NULL,
  endpoint text NOT NULL,
  status integer NOT NULL,
  code text NOT NULL,
  key_id text NOT NULL,
  mode text NOT NULL,
  windows bigint NOT NULL,
  micro_usd bigint NOT NULL,
  CONSTRAINT request_log_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
) PARTITION BY RANGE (at);
CREATE TABLE request_log_others PARTITION OF request_log DEFAULT;
CREATE INDEX request_log_codes ON ONLY request_log USING btree (account_id, code, at DESC, request_id DESC);
CREATE INDEX request_log_old ON ONLY request_log USING btree (at);
CREATE INDEX request_log_page ON ONLY request_log USING btree (account_id, at DESC, request_id DESC);
CREATE INDEX request_log_refused ON ONLY request_log USING btree (account_id, at DESC, request_id DESC) WHERE (status >= 400);
GRANT DELETE, INSERT, SELECT, UPDATE ON request_log TO eeg_service;

CREATE TABLE schema_migrations (
  name text NOT NULL,
  hash text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  kind text NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);
GRANT SELECT ON schema_migrations TO eeg_service;

CREATE TABLE service_state (
  only_row boolean DEFAULT true NOT NULL,
  serving boolean NOT NULL,
  message text NOT NULL,
  retry_after_seconds integer NOT NULL,
  CONSTRAINT service_state_pkey PRIMARY KEY (only_row),
  CONSTRAINT service_state_only_row_check CHECK (only_row)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON service_state TO eeg_service;

CREATE TABLE sessions (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  account_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_token_hash_key UNIQUE (token_hash),
  CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT sessions_token_hash_check CHECK (length(token_hash) = 32)
);
CREATE INDEX sessions_account ON sessions USING btree (account_id);
CREATE INDEX sessions_last_seen ON sessions USING btree (last_seen_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON sessions TO eeg_service;

CREATE TABLE share_links (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  model_id text NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT share_links_pkey PRIMARY KEY (id),
  CONSTRAINT share_links_token_hash_key UNIQUE (token_hash),
  CONSTRAINT share_links_model_id_fkey FOREIGN KEY (model_id) REFERENCES task_models(id) ON DELETE CASCADE,
  CONSTRAINT share_links_token_hash_check CHECK (length(token_hash) = 32)
);
CREATE INDEX share_links_model ON share_links USING btree (model_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON share_links TO eeg_service;

CREATE TABLE sign_up_policy (
  only_row boolean DEFAULT true NOT NULL,
  mode text NOT NULL,
  free_credit text NOT NULL,
  address_key bytea DEFAULT (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) NOT NULL,
  CONSTRAINT sign_up_policy_pkey PRIMARY KEY (only_row),
  CONSTRAINT sign_up_policy_free_credit_check CHECK (free_credit = ANY (ARRAY['at-once'::text, 'waits'::text])),
  CONSTRAINT sign_up_policy_mode_check CHECK (mode = ANY (ARRAY['open'::text, 'invitation'::text, 'closed'::text])),
  CONSTRAINT sign_up_policy_only_row_check CHECK (only_row)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON sign_up_policy TO eeg_service;

CREATE TABLE spending_days (
  account_id uuid NOT NULL,
  mode text NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  windows bigint DEFAULT 0 NOT NULL,
  micro_usd bigint DEFAULT 0 NOT NULL,
  CONSTRAINT spending_days_pkey PRIMARY KEY (account_id, day, mode, kind),
  CONSTRAINT spending_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT spending_days_check CHECK (mode = 'live'::text OR micro_usd = 0),
  CONSTRAINT spending_days_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
);
CREATE INDEX spending_days_day ON spending_days USING btree (day);
GRANT DELETE, INSERT, SELECT, UPDATE ON spending_days TO eeg_service;

CREATE TABLE stored_answer_days (
  account_id uuid NOT NULL,
  day date NOT NULL,
  answers bigint NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT stored_answer_days_pkey PRIMARY KEY (account_id, day)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON stored_answer_days TO eeg_service;

CREATE TABLE task_model_batches (
  model_id text NOT NULL,
  n integer NOT NULL,
  features_ref text NOT NULL,
  trials integer NOT NULL,
  windows integer NOT NULL,
  class_counts jsonb NOT NULL,
  signal jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  pins text[] DEFAULT '{}'::text[] NOT NULL,
  bytes bigint DEFAULT 0 NOT NULL,
  CONSTRAINT task_model_batches_pkey PRIMARY KEY (model_id, n),
  CONSTRAINT task_model_batches_features_ref_key UNIQUE (features_ref),
  CONSTRAINT task_model_batches_model_id_fkey FOREIGN KEY (model_id) REFERENCES task_models(id) ON DELETE CASCADE,
  CONSTRAINT task_model_batches_bytes_check CHECK (bytes >= 0),
  CONSTRAINT task_model_batches_n_check CHECK (n > 0),
  CONSTRAINT task_model_batches_trials_check CHECK (trials > 0),
  CONSTRAINT task_model_batches_windows_check CHECK (windows > 0)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON task_model_batches TO eeg_service;

CREATE TABLE task_models (
  id text NOT NULL,
  account_id uuid NOT NULL,
  mode text NOT NULL,
  name text,
  description text NOT NULL,
  status text NOT NULL,
  task_kind text NOT NULL,
  classes text[] NOT NULL,
  channels text[] NOT NULL,
  signal jsonb NOT NULL,
  method jsonb,
  training_report jsonb,
  model_ref text,
  created_at timestamp with time zone NOT NULL,
  fitted_at timestamp with time zone,
  expires_at timestamp with time zone,
  collect_until timestamp with time zone,
  paid_through timestamp with time zone,
  unpaid_since timestamp with time zone,
  retry_at timestamp with time zone,
  deleted_at timestamp with time zone,
  cleanup text DEFAULT 'none'::text NOT NULL,
  pins text[] DEFAULT '{}'::text[] NOT NULL,
  reference jsonb,
  batch_bytes bigint DEFAULT 0 NOT NULL,
  blocked_at timestamp with time zone,
  CONSTRAINT task_models_pkey PRIMARY KEY (id),
  CONSTRAINT task_models_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT task_models_check CHECK (status <> 'active'::text OR fitted_at IS NOT NULL AND model_ref IS NOT NULL AND method IS NOT NULL),
  CONSTRAINT task_models_check1 CHECK (status <> 'collecting'::text OR collect_until IS NOT NULL),
  CONSTRAINT task_models_check2 CHECK (status <> 'active'::text OR mode = 'test'::text OR paid_through IS NOT NULL),
  CONSTRAINT task_models_check3 CHECK (mode = 'live'::text OR paid_through IS NULL),
  CONSTRAINT task_models_check4 CHECK ((unpaid_since IS NULL) = (retry_at IS NULL)),
  CONSTRAINT task_models_cleanup_check CHECK (cleanup = ANY (ARRAY['none'::text, 'features'::text, 'all'::text])),
  CONSTRAINT task_models_id_check CHECK (id ~ '^clf_[0-9a-f]{32}$'::text),
  CONSTRAINT task_models_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  CONSTRAINT task_models_status_check CHECK (status = ANY (ARRAY['fitting'::text, 'collecting'::text, 'active'::text, 'expired'::text, 'deleted'::text])),
  CONSTRAINT task_models_task_kind_check CHECK (task_kind = ANY (ARRAY['erp'::text, 'motor'::text, 'sleep'::text, 'other'::text]))
);
CREATE INDEX task_models_account ON task_models USING btree (account_id, id);
CREATE INDEX task_models_blocked ON task_models USING btree (blocked_at) WHERE (blocked_at IS NOT NULL);
CREATE INDEX task_models_living ON task_models USING btree (status) WHERE ((status = ANY (ARRAY['fitting'::text, 'collecting'::text, 'active'::text])) OR (cleanup <> 'none'::text));
CREATE INDEX task_models_page ON task_models USING btree (account_id, created_at DESC, id DESC) WHERE (status = ANY (ARRAY['collecting'::text, 'active'::text]));
CREATE INDEX task_models_stored ON task_models USING btree (account_id) INCLUDE (status, mode, batch_bytes, created_at, collect_until) WHERE (status = ANY (ARRAY['fitting'::text, 'collecting'::text, 'active'::text]));
CREATE INDEX task_models_unpaid ON task_models USING btree (account_id) WHERE ((unpaid_since IS NOT NULL) AND (status = 'active'::text));
GRANT DELETE, INSERT, SELECT, UPDATE ON task_models TO eeg_service;

CREATE TABLE terms_acceptances (
  account_id uuid NOT NULL,
  version text NOT NULL,
  accepted_at timestamp with time zone NOT NULL,
  CONSTRAINT terms_acceptances_pkey PRIMARY KEY (account_id, version),
  CONSTRAINT terms_acceptances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON terms_acceptances TO eeg_service;

CREATE TABLE test_create_days (
  account_id uuid NOT NULL,
  day date NOT NULL,
  creates bigint NOT NULL,
  CONSTRAINT test_create_days_pkey PRIMARY KEY (account_id, day),
  CONSTRAINT test_create_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON test_create_days TO eeg_service;

CREATE TABLE usage_days (
  account_id uuid NOT NULL,
  key_id text NOT NULL,
  mode text NOT NULL,
  day date NOT NULL,
  endpoint text NOT NULL,
  status integer NOT NULL,
  code text NOT NULL,
  requests bigint NOT NULL,
  windows bigint NOT NULL,
  micro_usd bigint NOT NULL,
  CONSTRAINT usage_days_pkey PRIMARY KEY (account_id, day, mode, key_id, endpoint, status, code),
  CONSTRAINT usage_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX usage_days_day ON usage_days USING btree (day);
GRANT DELETE, INSERT, SELECT, UPDATE ON usage_days TO eeg_service;

CREATE TABLE wallets (
  account_id uuid NOT NULL,
  balance bigint DEFAULT 0 NOT NULL,
  held bigint DEFAULT 0 NOT NULL,
  CONSTRAINT wallets_pkey PRIMARY KEY (account_id),
  CONSTRAINT wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT wallets_balance_not_negative CHECK (balance >= 0),
  CONSTRAINT wallets_held_not_negative CHECK (held >= 0)
);
CREATE TRIGGER wallets_kept BEFORE DELETE OR TRUNCATE ON wallets FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
GRANT SELECT ON wallets TO eeg_service;
GRANT INSERT (account_id), UPDATE (account_id) ON wallets TO eeg_service;

CREATE TABLE weights_held (
  process text NOT NULL,
  role text NOT NULL,
  weights text[] NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT weights_held_pkey PRIMARY KEY (process),
  CONSTRAINT weights_held_role_check CHECK (role = ANY (ARRAY['api'::text, 'worker'::text]))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON weights_held TO eeg_service;

CREATE TABLE worker_processes (
  process text NOT NULL,
  steady_since timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  stopping_at timestamp with time zone,
  CONSTRAINT worker_processes_pkey PRIMARY KEY (process)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON worker_processes TO eeg_service;

CREATE OR REPLACE FUNCTION add_ledger_partitions(p_suffix text, p_from text, p_to text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_table text;
  v_name text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['ledger_transactions', 'ledger_entries'] LOOP
    v_name := v_table || '_' || p_suffix;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING IDENTITY)', v_name, v_table);
    EXECUTE format('CREATE TRIGGER ledger_partition_closed BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON %I '
      'FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change()', v_name);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', v_table, v_name, p_from, p_to);
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION address_hash(p_plain bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  SELECT sha256(address_key || sha256(address_key || p_plain)) FROM sign_up_policy
$function$;

CREATE OR REPLACE FUNCTION admit_requests(p_waits boolean, p_sessions boolean, p_scopes text[], p_while_suspended boolean, p_terms text, p_idle_days integer, p_lease_seconds integer, p_nonce bytea, p_callers text[], p_hashes bytea[], p_counts integer[], p_endpoints text[], p_requests text[], p_ips inet[], p_leases uuid[], p_begin text[], p_models text[])
 RETURNS TABLE(outcome text, account_id uuid, mode text, at timestamp with time zone, window_limit integer, remaining integer, reset_seconds double precision, daily_estimates integer, available bigint, capped boolean, windows_left bigint, key_begun boolean, refusal jsonb, model text)
 LANGUAGE plpgsql
 ROWS 1
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  k record;
  r rate_windows;
  v_known boolean;
  v_outcome text;
  v_running integer;
  v_leases uuid[];
  v_retry double precision;
  v_first integer := 1;
  -- Leases and counters need not survive a crash of the server. A charge that commits later flushes them too.
  v_commit text := set_config('synchronous_commit', 'off', true);
  v_patience text;
BEGIN
  -- The row of one caller must not hold up the others of the statement.
  IF NOT p_waits THEN
    v_patience := set_config('lock_timeout', '500ms', true);
  END IF;
  FOR c IN 1 .. cardinality(p_callers) LOOP
    at := clock_timestamp();
    account_id := NULL;
    refusal := NULL;
    IF p_sessions THEN
      SELECT * INTO k FROM caller_by_session(p_hashes[c], p_callers[c], p_idle_days, p_terms, p_while_suspended, at);
    ELSE
      SELECT * INTO k FROM caller_by_key(p_callers[c], p_scopes, p_while_suspended, at);
    END IF;
    v_known := FOUND;
    -- Takes the same time for an unknown caller and for a wrong secret.
    IF sha256(coalesce(k.secret_hash, p_nonce) || p_nonce) <> sha256(p_hashes[c] || p_nonce) OR NOT v_known THEN
      v_outcome := 'UNAUTHENTICATED';
    ELSE
      v_outcome := k.outcome;
      account_id := k.account_id;
      IF p_waits THEN
        INSERT INTO rate_windows VALUES (k.account_id, at, 0, at, 0) ON CONFLICT DO NOTHING;
        SELECT * INTO r FROM rate_windows w WHERE w.account_id = k.account_id FOR UPDATE;
      ELSE
        SELECT * INTO r FROM rate_windows w WHERE w.account_id = k.account_id FOR UPDATE SKIP LOCKED;
      END IF;
      IF NOT FOUND THEN
        v_outcome := 'busy';
      END IF;
    END IF;
    IF v_outcome IN ('UNAUTHENTICATED', 'busy') THEN
      outcome := v_outcome;
      FOR i IN 1 .. p_counts[c] LOOP
        RETURN NEXT;
      END LOOP;
      v_first := v_first + p_counts[c];
      CONTINUE;
    END IF;

    at := clock_timestamp();
    mode := k.mode;
    daily_estimates := k.daily_estimates;
    available := k.available;
    capped := k.capped;
    windows_left := k.windows_left;
    window_limit := k.rps * 10;
    IF r.window_start + interval '10 seconds' <= at THEN
      r.window_start := at;
      r.window_count := 0;
    END IF;
    IF r.second_start + interval '1 second' <= at THEN
      r.second_start := at;
      r.second_count := 0;
    END IF;
    reset_seconds := extract(epoch FROM r.window_start + interval '10 seconds' - at);
    v_running := CASE v_outcome WHEN 'admitted' THEN running_requests(k.account_id, k.concurrency, at) END;
    v_leases := '{}';
    FOR i IN v_first .. v_first + p_counts[c] - 1 LOOP
      outcome := v_outcome;
      model := p_models[i];
      v_retry := NULL;
      IF outcome NOT IN ('KEY_REVOKED', 'KEY_EXPIRED', 'TENANT_SUSPENDED') AND cardinality(k.allow_ips) > 0
        AND NOT EXISTS (SELECT FROM unnest(k.allow_ips) AS range WHERE p_ips[i] <<= range)
      THEN
        outcome := 'IP_NOT_ALLOWED';
      ELSIF outcome = 'SERVING_DISABLED' THEN
        v_retry := k.retry_after;
      ELSIF outcome = 'admitted' AND r.window_count >= window_limit THEN
        outcome := 'WINDOW';
        v_retry := reset_seconds;
      ELSIF outcome = 'admitted' AND r.second_count >= k.burst THEN
        outcome := 'BURST';
        v_retry := extract(epoch FROM r.second_start + interval '1 second' - at);
      ELSIF outcome = 'admitted' AND v_running >= k.concurrency THEN
        outcome := 'CONCURRENCY_LIMITED';
        v_retry := 1;
      END IF;

      IF outcome = 'admitted' THEN
        r.window_count := r.window_count + 1;
        r.second_count := r.second_count + 1;
        v_running := v_running + 1;
        v_leases := v_leases || p_leases[i];
        refusal := NULL;
        key_begun := p_begin[i] IS NOT NULL
          AND begin_open_key(k.account_id, k.mode, p_begin[i], p_leases[i], p_lease_seconds, v_running, model);
      ELSE
        key_begun := false;
        refusal := jsonb_build_object(
          'since', k.since, 'message', CASE outcome WHEN 'SERVING_DISABLED' THEN k.message END, 'retryAfter', v_retry,
          'scopes', k.scopes, 'burst', k.burst, 'concurrency', k.concurrency);
        PERFORM count_refusal(k.account_id, k.usage_key, k.mode, p_endpoints[i], outcome, p_requests[i], at);
      END IF;
      remaining := greatest(0, window_limit - r.window_count);
      RETURN NEXT;
    END LOOP;
    v_first := v_first + p_counts[c];
    IF cardinality(v_leases) > 0 THEN
      INSERT INTO request_leases
        SELECT id, k.account_id, at + make_interval(secs => p_lease_seconds) FROM unnest(v_leases) AS id;
      UPDATE rate_windows w SET window_start = r.window_start, window_count = r.window_count,
             second_start = r.second_start, second_count = r.second_count WHERE w.account_id = k.account_id;
    END IF;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION answers_are_full(p_account uuid, p_running bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(coalesce(sum(s.answers), 0) + p_running > a.stored_answers, false)
      OR coalesce(coalesce(sum(s.bytes), 0) + p_running * 65536 > a.stored_answer_bytes, false)
  FROM accounts a LEFT JOIN stored_answer_days s ON s.account_id = a.id
  WHERE a.id = p_account GROUP BY a.id
$function$;

CREATE OR REPLACE FUNCTION begin_idempotency(p_account uuid, p_mode text, p_key text, p_hash text, p_lock uuid, p_lock_seconds double precision, p_days integer)
 RETURNS TABLE(outcome text, status integer, body text, ref text, bytes bigint, model text, job jsonb, retry_after double precision)
 LANGUAGE plpgsql
 ROWS 1
AS $function$
#variable_conflict use_column
DECLARE
  r idempotency_keys;
  at timestamptz;
  -- The lease of this request is one of them.
  v_full boolean := answers_are_full(p_account, greatest(1, (
    SELECT count(*) FROM request_leases l WHERE l.account_id = p_account AND l.expires_at > clock_timestamp())));
BEGIN
  LOOP
    at := clock_timestamp();
    INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, lock_id, locked_until, created_at)
      SELECT p_account, p_mode, p_key, p_hash, 'running', p_lock, at + make_interval(secs => p_lock_seconds), at
      WHERE NOT v_full ON CONFLICT DO NOTHING;
    IF FOUND THEN
      outcome := 'new';
      RETURN NEXT;
      RETURN;
    END IF;
    SELECT * INTO r FROM idempotency_keys i
      WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key FOR UPDATE;
    IF NOT FOUND THEN
      CONTINUE WHEN NOT v_full;
      outcome := 'full';
      RETURN NEXT;
      RETURN;
    END IF;
    at := clock_timestamp();
    IF r.created_at + make_interval(days => p_days) <= at AND (r.state = 'done' OR r.locked_until <= at) THEN
      DELETE FROM idempotency_keys i WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key;
      CONTINUE;
    END IF;
    job := r.job;
    IF r.request_hash NOT IN (p_hash, '') THEN
      outcome := 'reused';
    ELSIF r.state = 'done' THEN
      outcome := 'replay';
      status := r.response_status;
      body := r.response_body;
      ref := r.response_ref;
      bytes := r.response_bytes;
      model := r.model_id;
    ELSIF r.locked_until > at THEN
      outcome := 'running';
      retry_after := extract(epoch FROM r.locked_until - at);
    ELSE
      outcome := 'taken';
      UPDATE idempotency_keys i
        SET request_hash = p_hash, lock_id = p_lock, locked_until = at + make_interval(secs => p_lock_seconds)
        WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key;
    END IF;
    RETURN NEXT;
    RETURN;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION begin_open_key(p_account uuid, p_mode text, p_key text, p_lock uuid, p_lock_seconds double precision, p_running bigint, p_model text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  at timestamptz := clock_timestamp();
BEGIN
  -- This read does not wait for a transaction that changes the key. The insert would, with the account's limits locked.
  IF EXISTS (SELECT FROM idempotency_keys i WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key)
    OR answers_are_full(p_account, p_running) THEN
    RETURN false;
  END IF;
  INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, lock_id, locked_until, created_at, model_id)
    VALUES (p_account, p_mode, p_key, '', 'running', p_lock, at + make_interval(secs => p_lock_seconds), at, p_model)
    ON CONFLICT DO NOTHING;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION caller_by_key(p_key text, p_scopes text[], p_while_suspended boolean, p_at timestamp with time zone)
 RETURNS TABLE(account_id uuid, mode text, usage_key text, secret_hash bytea, allow_ips cidr[], scopes text[], outcome text, since timestamp with time zone, message text, retry_after double precision, rps integer, burst integer, concurrency integer, daily_estimates integer, available bigint, capped boolean, windows_left bigint)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT a.id, k.mode, k.key_id, k.secret_hash, k.allow_ips, k.scopes, o.outcome,
         CASE o.outcome WHEN 'KEY_REVOKED' THEN coalesce(k.revoked_at, a.closed_at) WHEN 'KEY_EXPIRED' THEN k.expires_at
                        WHEN 'TENANT_SUSPENDED' THEN a.suspended_at END,
         s.message, s.retry_after_seconds::double precision, a.rps, a.burst, a.concurrency, a.daily_estimates,
         w.balance,
         coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) IS NOT NULL,
         CASE k.mode WHEN 'test' THEN a.daily_test_windows - test_windows(a.id, p_at) END
  FROM api_keys k JOIN accounts a ON a.id = k.account_id LEFT JOIN wallets w ON w.account_id = a.id
  CROSS JOIN service_state s
  CROSS JOIN LATERAL (SELECT CASE
    WHEN coalesce(k.revoked_at, a.closed_at) <= p_at THEN 'KEY_REVOKED'
    WHEN k.expires_at <= p_at THEN 'KEY_EXPIRED'
    WHEN a.suspended_at <= p_at AND NOT p_while_suspended THEN 'TENANT_SUSPENDED'
    WHEN NOT k.scopes && p_scopes THEN 'SCOPE_MISSING'
    WHEN NOT s.serving THEN 'SERVING_DISABLED'
    ELSE 'admitted' END AS outcome) AS o
  WHERE k.key_id = p_key
$function$;

CREATE OR REPLACE FUNCTION caller_by_session(p_hash bytea, p_mode text, p_idle_days integer, p_terms text, p_while_suspended boolean, p_at timestamp with time zone)
 RETURNS TABLE(account_id uuid, mode text, usage_key text, secret_hash bytea, allow_ips cidr[], scopes text[], outcome text, since timestamp with time zone, message text, retry_after double precision, rps integer, burst integer, concurrency integer, daily_estimates integer, available bigint, capped boolean, windows_left bigint)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT a.id, p_mode, 'dashboard', i.token_hash, '{}'::cidr[], '{}'::text[], o.outcome,
         CASE o.outcome WHEN 'TENANT_SUSPENDED' THEN a.suspended_at END,
         s.message, s.retry_after_seconds::double precision, a.rps, a.burst, a.concurrency, a.daily_estimates,
         w.balance,
         coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) IS NOT NULL,
         CASE p_mode WHEN 'test' THEN a.daily_test_windows - test_windows(a.id, p_at) END
  FROM sessions i JOIN accounts a ON a.id = i.account_id LEFT JOIN wallets w ON w.account_id = a.id
  CROSS JOIN service_state s
  CROSS JOIN LATERAL (SELECT CASE
    WHEN a.suspended_at <= p_at AND NOT p_while_suspended THEN 'TENANT_SUSPENDED'
    WHEN a.terms_accepted_at IS NULL OR NOT EXISTS (
      SELECT FROM terms_acceptances t WHERE t.account_id = a.id AND t.version = coalesce(p_terms, t.version))
      THEN 'TERMS_NOT_ACCEPTED'
    WHEN NOT s.serving THEN 'SERVING_DISABLED'
    ELSE 'admitted' END AS outcome) AS o
  WHERE i.token_hash = p_hash AND i.expires_at > p_at AND i.last_seen_at > p_at - make_interval(days => p_idle_days)
    AND a.closed_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION charge_predictions(p_waits boolean, p_mode text, p_endpoint text, p_price bigint, p_accounts uuid[], p_models text[], p_windows bigint[], p_at timestamp with time zone[], p_requests text[], p_api_keys text[], p_leases uuid[], p_free boolean[], p_keys text[], p_hashes text[], p_sizes integer[], p_refs text[], p_bodies bytea, OUT outcomes text[], OUT freed uuid[])
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  v_price bigint := CASE p_mode WHEN 'live' THEN p_price ELSE 0 END;
  v_account uuid;
  v_model text;
  w record;
  -- What is left of the balance; null: another transaction holds the wallet.
  v_left bigint;
  -- When hosting is due next; null: the model is not active, or another transaction holds it.
  v_due_at timestamptz;
  v_day date;
  v_day_usd bigint;
  v_month_usd bigint;
  v_day_windows bigint;
  v_month_windows bigint;
  v_test_windows bigint;
  -- Stored answers of the account and their bytes; null: not read yet.
  v_answers bigint;
  v_bytes bigint;
  -- Where the answer begins in `p_bodies`.
  v_from integer := 1;
  v_paid integer[];
BEGIN
  IF p_waits THEN
    PERFORM FROM task_models t WHERE t.id = ANY (p_models) AND t.account_id = p_accounts[1] ORDER BY t.id FOR SHARE;
    PERFORM FROM wallets b WHERE b.account_id = p_accounts[1] FOR NO KEY UPDATE;
    PERFORM FROM idempotency_keys k
      WHERE k.account_id = p_accounts[1] AND k.mode = p_mode AND k.key = ANY (p_keys) ORDER BY k.key FOR UPDATE;
  END IF;
  FOR i IN 1 .. cardinality(p_accounts) LOOP
    IF p_accounts[i] IS DISTINCT FROM v_account OR p_models[i] IS DISTINCT FROM v_model THEN
      IF p_accounts[i] IS DISTINCT FROM v_account THEN
        v_account := p_accounts[i];
        SELECT b.balance, b.held, a.daily_cap_micro_usd AS day_cap, a.monthly_cap_micro_usd AS month_cap,
               a.daily_windows AS day_windows, a.monthly_windows AS month_windows,
               coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) AS cap,
               CASE p_mode WHEN 'test' THEN a.daily_test_windows END AS test_windows,
               a.stored_answers, a.stored_answer_bytes
          INTO w FROM wallets b JOIN accounts a ON a.id = b.account_id WHERE b.account_id = v_account
          FOR NO KEY UPDATE OF b SKIP LOCKED;
        v_left := w.balance;
        v_answers := NULL;
        v_day := (p_at[i] AT TIME ZONE 'UTC')::date;
        IF w.test_windows IS NOT NULL THEN
          v_test_windows := test_windows(v_account, p_at[i]);
        END IF;
        IF w.cap IS NOT NULL THEN
          SELECT coalesce(sum(d.micro_usd) FILTER (WHERE d.day = v_day AND d.mode = 'live'), 0),
                 coalesce(sum(d.micro_usd) FILTER (WHERE d.mode = 'live'), 0),
                 coalesce(sum(d.windows) FILTER (WHERE d.day = v_day), 0), coalesce(sum(d.windows), 0)
            INTO v_day_usd, v_month_usd, v_day_windows, v_month_windows
            FROM spending_days d
            WHERE d.account_id = v_account AND d.day >= date_trunc('month', v_day)::date
              AND d.day < (date_trunc('month', v_day) + interval '1 month')::date;
        END IF;
      END IF;
      v_model := p_models[i];
      SELECT CASE WHEN t.mode = 'test' THEN 'infinity'
                  WHEN t.unpaid_since IS NOT NULL THEN '-infinity'
                  WHEN t.retry_at IS NOT NULL THEN t.retry_at
                  WHEN t.expires_at <= t.paid_through THEN 'infinity'
                  ELSE coalesce(t.paid_through, 'infinity') END
        INTO v_due_at
        FROM task_models t
        WHERE t.id = v_model AND t.account_id = v_account AND t.mode = p_mode AND t.status = 'active'
        FOR SHARE SKIP LOCKED;
    END IF;

    outcomes[i] := CASE WHEN v_left IS NULL OR (v_due_at IS NULL AND NOT p_waits) THEN 'busy'
                        WHEN v_due_at IS NULL THEN 'ended'
                        WHEN v_due_at <= p_at[i] THEN 'due'
                        WHEN v_left < v_price * p_windows[i] THEN 'refused'
                        ELSE 'charged' END;
    IF i > 1 AND p_refs[i-1] IS NULL THEN
      v_from := v_from + coalesce(p_sizes[i-1], 0);
    END IF;
    CONTINUE WHEN outcomes[i] <> 'charged';
    IF w.test_windows IS NOT NULL
      AND ((p_at[i] AT TIME ZONE 'UTC')::date <> v_day OR v_test_windows + p_windows[i] > w.test_windows) THEN
      outcomes[i] := 'refused';
      CONTINUE;
    END IF;
    IF w.cap IS NOT NULL THEN
      IF ((p_at[i] AT TIME ZONE 'UTC')::date <> v_day
        OR v_day_windows + p_windows[i] > w.day_windows
        OR v_month_windows + p_windows[i] > w.month_windows
        OR (p_mode = 'live' AND (v_day_usd + w.held + v_price * p_windows[i] > w.day_cap
                              OR v_month_usd + w.held + v_price * p_windows[i] > w.month_cap))) IS TRUE THEN
        outcomes[i] := 'refused';
        CONTINUE;
      END IF;
    END IF;
    IF p_keys[i] IS NOT NULL THEN
      PERFORM FROM idempotency_keys k
        WHERE k.account_id = v_account AND k.mode = p_mode AND k.key = p_keys[i] AND k.state = 'running'
          AND k.lock_id = p_leases[i] FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        outcomes[i] := CASE WHEN p_waits THEN 'lost' ELSE 'busy' END;
        CONTINUE;
      END IF;
      IF v_answers IS NULL THEN
        SELECT coalesce(sum(s.answers), 0), coalesce(sum(s.bytes), 0) INTO v_answers, v_bytes
          FROM stored_answer_days s WHERE s.account_id = v_account;
      END IF;
      IF (v_answers + 1 > w.stored_answers OR v_bytes + p_sizes[i] > w.stored_answer_bytes) IS TRUE THEN
        outcomes[i] := 'full';
        CONTINUE;
      END IF;
      v_answers := v_answers + 1;
      v_bytes := v_bytes + p_sizes[i];
      UPDATE idempotency_keys k
        SET state = 'done', request_hash = p_hashes[i], response_status = 200, locked_until = NULL, model_id = v_model,
            response_ref = p_refs[i], response_bytes = p_sizes[i],
            response_body = CASE WHEN p_refs[i] IS NULL
              THEN convert_from(substring(p_bodies FROM v_from FOR p_sizes[i]), 'UTF8') END
        WHERE k.account_id = v_account AND k.mode = p_mode AND k.key = p_keys[i];
    END IF;
    v_paid := v_paid || i;
    v_test_windows := v_test_windows + p_windows[i];
    v_left := v_left - v_price * p_windows[i];
    IF w.cap IS NOT NULL THEN
      v_day_usd := v_day_usd + v_price * p_windows[i];
      v_month_usd := v_month_usd + v_price * p_windows[i];
      v_day_windows := v_day_windows + p_windows[i];
      v_month_windows := v_month_windows + p_windows[i];
    END IF;
  END LOOP;
  IF v_paid IS NULL THEN
    RETURN;
  END IF;

  IF p_mode = 'live' THEN
    WITH posted AS (
      INSERT INTO ledger_transactions AS t (account_id, kind, model_id, windows, unit_price, at)
      SELECT p_accounts[i.n], 'task_models.predict', p_models[i.n], p_windows[i.n], p_price, p_at[i.n]
      FROM (SELECT unnest(v_paid) AS n) AS i
      RETURNING t.id, t.account_id, t.windows)
    INSERT INTO ledger_entries (transaction_id, account_id, ledger_account, amount)
      SELECT p.id, p.account_id, e.account, e.sign * p.windows * p_price
      FROM posted p, (VALUES ('wallet', -1), ('revenue.task_models.predict', 1)) AS e (account, sign);
  ELSE
    INSERT INTO spending_days AS d (account_id, mode, day, kind, windows)
      SELECT p_accounts[i.n], 'test', (p_at[i.n] AT TIME ZONE 'UTC')::date, 'task_models.predict', sum(p_windows[i.n])
      FROM (SELECT unnest(v_paid) AS n) AS i GROUP BY 1, 3
      ON CONFLICT (account_id, day, mode, kind) DO UPDATE SET windows = d.windows + excluded.windows;
  END IF;

  INSERT INTO usage_days AS u (account_id, key_id, mode, day, endpoint, status, code, requests, windows, micro_usd)
    SELECT p_accounts[i.n], p_api_keys[i.n], p_mode, (p_at[i.n] AT TIME ZONE 'UTC')::date, p_endpoint, 200, 'ok',
           count(*), sum(p_windows[i.n]), sum(p_windows[i.n]) * v_price
    FROM (SELECT unnest(v_paid) AS n) AS i GROUP BY 1, 2, 4
    ON CONFLICT (account_id, day, mode, key_id, endpoint, status, code) DO UPDATE
      SET requests = u.requests + excluded.requests, windows = u.windows + excluded.windows,
          micro_usd = u.micro_usd + excluded.micro_usd;

  INSERT INTO request_log (account_id, at, request_id, endpoint, status, code, key_id, mode, windows, micro_usd)
    SELECT p_accounts[i.n], p_at[i.n], p_requests[i.n], p_endpoint, 200, 'ok', p_api_keys[i.n], p_mode,
           p_windows[i.n], p_windows[i.n] * v_price
    FROM (SELECT unnest(v_paid) AS n) AS i;

  -- To the minute. Skips locked rows: the transaction that locks one writes the same minute.
  IF EXISTS (SELECT FROM api_keys k WHERE k.key_id = ANY (p_api_keys)
               AND (k.last_used_at IS NULL OR k.last_used_at < p_at[1] - interval '1 minute')) THEN
    UPDATE api_keys SET last_used_at = p_at[1] WHERE key_id = ANY (ARRAY(
      SELECT k.key_id FROM api_keys k
      WHERE k.key_id = ANY (ARRAY(SELECT p_api_keys[i.n] FROM unnest(v_paid) AS i (n)))
        AND (k.last_used_at IS NULL OR k.last_used_at < p_at[1] - interval '1 minute')
      FOR NO KEY UPDATE SKIP LOCKED));
  END IF;

  WITH ended AS (
    DELETE FROM request_leases WHERE id = ANY (ARRAY(
      SELECT l.id FROM request_leases l
      WHERE l.id = ANY (ARRAY(SELECT p_leases[i.n] FROM (SELECT unnest(v_paid) AS n) AS i WHERE p_free[i.n]))
      FOR UPDATE SKIP LOCKED))
    RETURNING id)
  SELECT array_agg(e.id) INTO freed FROM ended e;
END
$function$;

CREATE OR REPLACE FUNCTION close_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO closed_addresses VALUES (address_hash(sha256(convert_to(lower(OLD.email), 'UTF8'))), NEW.closed_at)
    ON CONFLICT (email_hash) DO UPDATE SET closed_at = excluded.closed_at;
  NEW.email := 'closed-' || OLD.id || '@account.invalid';
  NEW.password_hash := NULL;
  DELETE FROM sessions WHERE account_id = OLD.id;
  DELETE FROM account_links WHERE account_id = OLD.id;
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, NEW.closed_at), name = NULL, allow_ips = '{}'
    WHERE account_id = OLD.id;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION count_erased_answer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE stored_answer_days s SET bytes = greatest(0, s.bytes - OLD.response_bytes)
    WHERE s.account_id = OLD.account_id AND s.day = (OLD.created_at AT TIME ZONE 'UTC')::date;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_refusal(p_account uuid, p_key text, p_mode text, p_endpoint text, p_outcome text, p_request text, p_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  code text := CASE WHEN p_outcome IN ('WINDOW', 'BURST') THEN 'RATE_LIMITED'
                    WHEN p_outcome = 'TERMS_NOT_ACCEPTED' THEN 'SCOPE_MISSING' ELSE p_outcome END;
BEGIN
  PERFORM count_usage(p_account, p_key, p_mode, p_endpoint,
    CASE WHEN code LIKE 'KEY_%' THEN 401 WHEN code LIKE '%_LIMITED' THEN 429
         WHEN code = 'SERVING_DISABLED' THEN 503 ELSE 403 END, code, 0, 0, p_request, p_at);
END
$function$;

CREATE OR REPLACE FUNCTION count_removed_answers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM removed r WHERE r.state = 'done') THEN
    RETURN NULL;
  END IF;
  INSERT INTO ended_answers SELECT r.response_ref FROM removed r WHERE r.response_ref IS NOT NULL
    ON CONFLICT DO NOTHING;
  PERFORM FROM stored_answer_days s
    WHERE (s.account_id, s.day) IN (SELECT r.account_id, (r.created_at AT TIME ZONE 'UTC')::date FROM removed r)
    ORDER BY s.account_id, s.day FOR UPDATE;
  WITH sums AS (
    SELECT r.account_id, (r.created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS answers,
           sum(r.response_bytes) AS bytes
    FROM removed r WHERE r.state = 'done' GROUP BY 1, 2)
  UPDATE stored_answer_days s
    SET answers = greatest(0, s.answers - d.answers), bytes = greatest(0, s.bytes - d.bytes)
    FROM sums d WHERE s.account_id = d.account_id AND s.day = d.day;
  DELETE FROM stored_answer_days s USING removed r
    WHERE s.account_id = r.account_id AND s.day = (r.created_at AT TIME ZONE 'UTC')::date AND s.answers = 0;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_stored_answer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO stored_answer_days AS s VALUES (NEW.account_id, (NEW.created_at AT TIME ZONE 'UTC')::date, 1,
                                              NEW.response_bytes)
    ON CONFLICT (account_id, day) DO UPDATE SET answers = s.answers + 1, bytes = s.bytes + excluded.bytes;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION count_usage(p_account uuid, p_key text, p_mode text, p_endpoint text, p_status integer, p_code text, p_windows bigint, p_micro_usd bigint, p_request text, p_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  INSERT INTO usage_days AS u (account_id, key_id, mode, day, endpoint, status, code, requests, windows, micro_usd)
  VALUES (p_account, p_key, p_mode, (p_at AT TIME ZONE 'UTC')::date, p_endpoint, p_status, p_code, 1, p_windows,
          p_micro_usd)
  ON CONFLICT (account_id, day, mode, key_id, endpoint, status, code) DO UPDATE
    SET requests = u.requests + 1, windows = u.windows + excluded.windows,
        micro_usd = u.micro_usd + excluded.micro_usd;

  IF p_status NOT IN (401, 403, 429, 503) OR (
    SELECT count(*) FROM (
      SELECT FROM request_log l WHERE l.account_id = p_account AND l.status >= 400 AND l.status IN (401, 403, 429, 503)
        AND l.at > p_at - interval '1 second' AND l.at <= p_at LIMIT 3) AS lately) < 3
  THEN
    INSERT INTO request_log
      VALUES (p_account, p_at, p_request, p_endpoint, p_status, p_code, p_key, p_mode, p_windows, p_micro_usd);
  END IF;

  -- Skips a locked row: the transaction that locks it writes the same minute.
  UPDATE api_keys SET last_used_at = p_at WHERE key_id = (
    SELECT k.key_id FROM api_keys k
    WHERE k.key_id = p_key AND k.account_id = p_account
      AND (k.last_used_at IS NULL OR k.last_used_at < p_at - interval '1 minute')
    FOR NO KEY UPDATE SKIP LOCKED);
END
$function$;

CREATE OR REPLACE FUNCTION fit_is_asked_for(p_model text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (SELECT FROM fit_requests f WHERE f.model_id = p_model AND f.finished_at IS NULL)
$function$;

CREATE OR REPLACE FUNCTION hold_is_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.state = 'open' OR OLD.resolved_at > now() - interval '400 days' THEN
    RAISE EXCEPTION 'hold % is %, resolved %, and is kept for 400 days from then', OLD.id, OLD.state,
      coalesce(OLD.resolved_at::text, 'never') USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION hold_resolves_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.state <> 'open' OR (NEW.id, NEW.account_id, NEW.model_id, NEW.amount, NEW.create_fee, NEW.hosting_month)
     IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.model_id, OLD.amount, OLD.create_fee, OLD.hosting_month) THEN
    RAISE EXCEPTION 'hold % is % and cannot change', OLD.id, OLD.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION keep_ledger_months()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  SELECT keep_ledger_months(clock_timestamp())
$function$;

CREATE OR REPLACE FUNCTION keep_ledger_months(p_at timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '300ms'
AS $function$
DECLARE
  v_this date;
  v_was_made boolean;
  v_last_id bigint;
  v_month date;
  v_made integer := 0;
BEGIN
  IF (p_at >= '2020-01-01T00:00:00Z' AND p_at < '9000-01-01T00:00:00Z') IS NOT TRUE THEN
    RETURN 0;
  END IF;
  v_this := date_trunc('month', p_at AT TIME ZONE 'UTC')::date;
  -- One process at a time: the sequence must never move back.
  LOCK TABLE ledger_months IN SHARE ROW EXCLUSIVE MODE;
  v_was_made := EXISTS (SELECT FROM ledger_months m WHERE m.month = v_this);
  SELECT s.last_value INTO v_last_id FROM ledger_transactions_id_seq s;
  FOR v_month IN
    SELECT DISTINCT (f.month + make_interval(months => n))::date AS month
    FROM (VALUES (v_this), (ledger_month_of(v_last_id + 1))) AS f (month), generate_series(0, 2) AS n
    WHERE f.month BETWEEN '2020-01-01' AND '9000-01-01' ORDER BY 1
  LOOP
    CONTINUE WHEN EXISTS (SELECT FROM ledger_months m WHERE m.month = v_month);
    PERFORM add_ledger_partitions(to_char(v_month, 'YYYYMM'), ledger_month_starts(v_month)::text,
      ledger_month_starts((v_month + interval '1 month')::date)::text);
    INSERT INTO ledger_months VALUES (v_month);
    v_made := v_made + 1;
  END LOOP;
  IF v_was_made AND v_last_id < ledger_month_starts(v_this) - 1 THEN
    PERFORM setval('ledger_transactions_id_seq', ledger_month_starts(v_this) - 1);
  END IF;
  RETURN v_made;
EXCEPTION
  WHEN lock_not_available THEN RETURN 0;
END
$function$;

CREATE OR REPLACE FUNCTION keep_request_log(p_at timestamp with time zone, p_days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '300ms'
AS $function$
DECLARE
  v_today date := (p_at AT TIME ZONE 'UTC')::date;
  v_day date;
  v_name text;
  v_dropped integer := 0;
BEGIN
  FOR v_day IN SELECT v_today + n FROM generate_series(0, 2) AS n LOOP
    v_name := 'request_log_' || to_char(v_day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(v_name) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE %I PARTITION OF request_log FOR VALUES FROM (%L) TO (%L)', v_name,
        v_day::timestamp AT TIME ZONE 'UTC', (v_day + 1)::timestamp AT TIME ZONE 'UTC');
    EXCEPTION
      -- Rows of that day are in `request_log_others`, as on the first day; the sweep deletes them one by one.
      WHEN check_violation OR lock_not_available OR duplicate_table THEN NULL;
    END;
  END LOOP;
  FOR v_name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'request_log'::regclass AND c.relname ~ '^request_log_[0-9]{8}$'
      AND (to_date(right(c.relname, 8), 'YYYYMMDD') + 1)::timestamp AT TIME ZONE 'UTC' <= p_at - make_interval(days => p_days)
  LOOP
    BEGIN
      EXECUTE format('DROP TABLE %I', v_name);
      v_dropped := v_dropped + 1;
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
  END LOOP;
  RETURN v_dropped;
END
$function$;

CREATE OR REPLACE FUNCTION ledger_cache_sums()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  -- As in `ledger_check_transactions`.
  v_first bigint;
  v_last bigint;
  wrong record;
BEGIN
  SELECT min(a.transaction_id), max(a.transaction_id) INTO v_first, v_last FROM added a;
  SELECT a.transaction_id AS id, count(*) - count(t.id) AS strange INTO wrong
    FROM added a LEFT JOIN ledger_transactions t
      ON t.id = a.transaction_id AND t.account_id = a.account_id AND t.id BETWEEN v_first AND v_last
    GROUP BY a.transaction_id HAVING sum(a.amount) <> 0 OR count(t.id) < count(*) ORDER BY a.transaction_id LIMIT 1;
  IF FOUND AND wrong.strange > 0 THEN
    RAISE EXCEPTION 'ledger transaction %: it is none of the account of its entries', wrong.id
      USING ERRCODE = 'foreign_key_violation';
  ELSIF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: % instead of 0', wrong.id,
      (SELECT format('%s entries that sum to %s', count(*), sum(e.amount)) FROM ledger_entries e
       WHERE e.transaction_id = wrong.id) USING ERRCODE = 'check_violation';
  END IF;

  UPDATE wallets w SET balance = w.balance + s.wallet, held = w.held + s.held
  FROM (SELECT account_id, coalesce(sum(amount) FILTER (WHERE ledger_account = 'wallet'), 0)::bigint AS wallet,
               coalesce(sum(amount) FILTER (WHERE ledger_account = 'held'), 0)::bigint AS held
        FROM added GROUP BY account_id) s
  WHERE w.account_id = s.account_id;

  INSERT INTO spending_days AS d (account_id, mode, day, kind, windows, micro_usd)
  SELECT t.account_id, 'live', (t.at AT TIME ZONE 'UTC')::date, t.kind, coalesce(sum(t.windows), 0), sum(a.amount)
  FROM added a JOIN ledger_transactions t ON t.id = a.transaction_id AND t.id BETWEEN v_first AND v_last
  WHERE a.ledger_account LIKE 'revenue.%'
  GROUP BY 1, 3, 4
  ON CONFLICT (account_id, day, mode, kind)
    DO UPDATE SET windows = d.windows + excluded.windows, micro_usd = d.micro_usd + excluded.micro_usd;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION ledger_check_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
  -- The ids of the statement. With these bounds a generic plan opens only the partition of the month; a plan for each
  -- statement took as long as the charge.
  v_first bigint;
  v_last bigint;
  v_keys boolean;
  v_empty bigint;
BEGIN
  SELECT min(a.id), max(a.id), bool_or(a.kind <> 'task_models.predict') INTO v_first, v_last, v_keys FROM added a;
  SELECT a.id INTO v_empty FROM added a
    WHERE (SELECT true FROM ledger_entries e
           WHERE e.transaction_id = a.id AND e.transaction_id BETWEEN v_first AND v_last LIMIT 1) IS NULL
    ORDER BY a.id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: 0 entries', v_empty USING ERRCODE = 'check_violation';
  END IF;
  IF v_keys THEN
    INSERT INTO ledger_once
      SELECT key, a.id
      FROM added a, unnest(ledger_once_keys(a.kind, a.account_id, a.model_id, a.hold_id, a.period)) AS key;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION ledger_month_of(p_id bigint)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE WHEN p_id BETWEEN 1000000000000 AND 9999999999999999 THEN
    (make_date((p_id / 1000000000000)::integer, 1, 1)
      + make_interval(months => least(p_id / 10000000000 % 100, 12)::integer - 1))::date END
$function$;

CREATE OR REPLACE FUNCTION ledger_month_starts(p_month date)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT (extract(year FROM p_month) * 100 + extract(month FROM p_month))::bigint * 10000000000
$function$;

CREATE OR REPLACE FUNCTION ledger_once_keys(kind text, account_id uuid, model_id text, hold_id uuid, period integer)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT array_remove(ARRAY[
    CASE WHEN kind = 'credit.free' THEN 'free credit of ' || account_id END,
    CASE WHEN kind = 'hold.reserve' THEN 'reservation of hold ' || hold_id
         WHEN kind IN ('hold.release', 'task_models.create_fee') THEN 'end of hold ' || hold_id END,
    CASE WHEN period IS NOT NULL THEN kind || ' ' || period || ' of ' || model_id END], NULL)
$function$;

CREATE OR REPLACE FUNCTION ledger_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE FUNCTION ledger_transaction_is_sound(kind text, model_id text, hold_id uuid, period integer, starts_at timestamp with time zone, ends_at timestamp with time zone, windows bigint, unit_price bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  IF kind = 'task_models.predict' THEN
    RETURN coalesce(model_id IS NOT NULL AND windows > 0 AND unit_price > 0 AND period IS NULL, false);
  END IF;
  RETURN coalesce(windows IS NULL AND coalesce(unit_price > 0, true) AND CASE kind
    WHEN 'credit.free' THEN model_id IS NULL AND period IS NULL
    WHEN 'credit.operator' THEN model_id IS NULL AND period IS NULL
    WHEN 'hold.reserve' THEN model_id IS NOT NULL AND hold_id IS NOT NULL AND period IS NULL
    WHEN 'hold.release' THEN model_id IS NOT NULL AND hold_id IS NOT NULL AND period IS NULL
    WHEN 'task_models.create_fee' THEN model_id IS NOT NULL AND period = 0
    WHEN 'task_models.hosting' THEN model_id IS NOT NULL AND period >= 1 AND ends_at = starts_at + interval '720 hours'
    WHEN 'task_models.hosting_refund' THEN model_id IS NOT NULL AND period > 1
    ELSE false END, false);
END
$function$;

CREATE OR REPLACE FUNCTION pins_of_batches(p_model text)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  SELECT array_agg(DISTINCT pin COLLATE "C" ORDER BY pin COLLATE "C")
  FROM task_model_batches b, unnest(b.pins) AS pin WHERE b.model_id = p_model
$function$;

CREATE OR REPLACE FUNCTION running_requests(p_account uuid, p_concurrency integer, p_at timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_running integer;
  v_oldest timestamptz;
BEGIN
  LOOP
    SELECT count(*), min(l.expires_at) INTO v_running, v_oldest FROM (
      SELECT e.expires_at FROM request_leases e WHERE e.account_id = p_account
      ORDER BY e.expires_at LIMIT p_concurrency) AS l;
    IF v_oldest IS NULL OR v_oldest > p_at THEN
      RETURN v_running;
    END IF;
    DELETE FROM request_leases d WHERE d.id IN (
      SELECT l.id FROM request_leases l WHERE l.account_id = p_account AND l.expires_at <= p_at
      FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
      RETURN (SELECT count(*) FROM request_leases l WHERE l.account_id = p_account AND l.expires_at > p_at);
    END IF;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION test_windows(p_account uuid, p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN coalesce((
    SELECT d.windows FROM spending_days d
    WHERE d.account_id = p_account AND d.day = (p_at AT TIME ZONE 'UTC')::date AND d.mode = 'test'
      AND d.kind = 'task_models.predict'), 0);
END
$function$;

INSERT INTO service_state (serving, message, retry_after_seconds) VALUES ('t', 'Serving.', '60');
INSERT INTO sign_up_policy (mode, free_credit) VALUES ('invitation', 'at-once');
