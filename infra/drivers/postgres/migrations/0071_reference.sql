-- How far the reference tasks are prepared, and the fits that were made from them. The recordings' features and the
-- fits themselves are objects.
CREATE TABLE reference_preparations (
  data_set text NOT NULL,
  version text NOT NULL,
  task text NOT NULL,
  features_version text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'ready', 'failed', 'required')),
  retryable boolean NOT NULL DEFAULT false,
  reason text,
  -- What a person is expected to take, before anyone has been done.
  usual_seconds_per_byte double precision NOT NULL CHECK (usual_seconds_per_byte > 0),
  -- What all of them are expected to hold, before the source has been looked at.
  usual_bytes double precision NOT NULL,
  -- Of the task in the data set, whether the source holds something of them or not.
  all_people int NOT NULL CHECK (all_people >= 0),
  asked_at timestamptz NOT NULL,
  started_at timestamptz,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (data_set, version, task, features_version)
);

-- The people that a preparation looks for. `ref`: the object of a person's features, which names what they were made
-- of.
CREATE TABLE reference_people (
  data_set text NOT NULL,
  version text NOT NULL,
  task text NOT NULL,
  features_version text NOT NULL,
  person text NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'running', 'used', 'part', 'missing', 'faulty', 'interrupted')),
  ref text CHECK ((ref IS NOT NULL) = (status = 'used')),
  own boolean NOT NULL DEFAULT false,
  reason text CHECK ((reason IS NOT NULL) = (status IN ('faulty', 'interrupted'))),
  files int NOT NULL DEFAULT 0,
  all_files int NOT NULL,
  bytes bigint NOT NULL DEFAULT 0,
  all_bytes bigint NOT NULL,
  -- Null where nothing had to be computed.
  seconds double precision,
  started_at timestamptz,
  PRIMARY KEY (data_set, version, task, features_version, person),
  FOREIGN KEY (data_set, version, task, features_version) REFERENCES reference_preparations ON DELETE CASCADE
);

CREATE TABLE reference_fits (
  key text PRIMARY KEY,
  -- `ReferenceFitRequest`.
  request jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'ready', 'failed', 'required')),
  retryable boolean NOT NULL DEFAULT false,
  reason text,
  -- Share that is done, from 0 to 1, and seconds that a fit is expected to take.
  done double precision NOT NULL DEFAULT 0 CHECK (done BETWEEN 0 AND 1),
  usual_seconds double precision NOT NULL CHECK (usual_seconds > 0),
  -- The object of the fit, its pins and `ReferenceEvidence`, once it is ready.
  ref text,
  pins jsonb,
  evidence jsonb,
  started_at timestamptz,
  -- When somebody last asked for it, to the hour: what nobody asks for any more is removed.
  asked_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((status = 'ready') = (ref IS NOT NULL) AND (ref IS NULL) = (pins IS NULL) AND (ref IS NULL) = (evidence IS NULL))
);
CREATE INDEX reference_fits_asked ON reference_fits (asked_at);
