-- contract: 0.1.0
-- Reference recordings and the fits made from them. Features and fits are objects in the store.

-- Preparation of each reference task. `usual_*`: estimates until the first person is done; `all_people`: people of the
-- task in the data set, whether or not the source has their recordings.
CREATE TABLE reference_preparations (
  data_set text,
  version text,
  task text,
  features_version text,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'ready', 'failed', 'required')),
  retryable boolean NOT NULL DEFAULT false,
  reason text,
  usual_seconds_per_byte double precision NOT NULL CHECK (usual_seconds_per_byte > 0),
  usual_bytes double precision NOT NULL,
  all_people integer NOT NULL CHECK (all_people >= 0),
  asked_at timestamptz NOT NULL,
  started_at timestamptz,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (data_set, version, task, features_version)
);

-- The people of a preparation. `ref`: the object of a person's features. `seconds` is null if nothing had to be
-- computed.
CREATE TABLE reference_people (
  data_set text,
  version text,
  task text,
  features_version text,
  person text,
  status text NOT NULL CHECK (status IN ('waiting', 'running', 'used', 'part', 'missing', 'faulty', 'interrupted')),
  ref text,
  own boolean NOT NULL DEFAULT false,
  reason text,
  files integer NOT NULL DEFAULT 0,
  all_files integer NOT NULL,
  bytes bigint NOT NULL DEFAULT 0,
  all_bytes bigint NOT NULL,
  seconds double precision,
  started_at timestamptz,
  PRIMARY KEY (data_set, version, task, features_version, person),
  CHECK ((ref IS NOT NULL) = (status = 'used')),
  CHECK ((reason IS NOT NULL) = (status IN ('faulty', 'interrupted'))),
  FOREIGN KEY (data_set, version, task, features_version) REFERENCES reference_preparations ON DELETE CASCADE
);

-- Fits on reference people, one for each shape of trials. `request` is a `ReferenceFitRequest`; `done` goes from 0 to
-- 1; `ref`, `pins` and `evidence` are set when it is ready; `asked_at` is the last request for it, to the hour;
-- `account_id` is the account that started it.
CREATE TABLE reference_fits (
  key text PRIMARY KEY,
  request jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'ready', 'failed', 'required')),
  retryable boolean NOT NULL DEFAULT false,
  reason text,
  done double precision NOT NULL DEFAULT 0 CHECK (done >= 0 AND done <= 1),
  usual_seconds double precision NOT NULL CHECK (usual_seconds > 0),
  ref text,
  pins jsonb,
  evidence jsonb,
  started_at timestamptz,
  asked_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  account_id uuid,
  CHECK ((status = 'ready') = (ref IS NOT NULL) AND (ref IS NULL) = (pins IS NULL)
    AND (ref IS NULL) = (evidence IS NULL))
);
CREATE INDEX reference_fits_asked ON reference_fits (asked_at);
