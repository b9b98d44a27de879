-- expand
-- What is asked of collecting models alone. A statement that has it within is made ready for it each time, for whatever
-- model: of an admission that was a tenth.

-- Pins that the stored batches of a model need, in order; null: there are none.
CREATE FUNCTION pins_of_batches(p_model text) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(DISTINCT pin COLLATE "C" ORDER BY pin COLLATE "C")
  FROM task_model_batches b, unnest(b.pins) AS pin WHERE b.model_id = p_model
$$;

-- Whether a fit of the model was asked for and has not ended.
CREATE FUNCTION fit_is_asked_for(p_model text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM fit_requests f WHERE f.model_id = p_model AND f.finished_at IS NULL)
$$;
