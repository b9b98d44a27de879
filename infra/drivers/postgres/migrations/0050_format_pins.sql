-- The format of what is stored is a pin too: a model or a batch whose object the code cannot read cannot be served. Rows that pin feature recipes
-- were written together with format 2, those before them with format 1. Pins are sorted.
CREATE FUNCTION pg_temp.with_format(pins text[]) RETURNS text[] LANGUAGE sql AS $$
  SELECT array_agg(pin ORDER BY pin COLLATE "C")
  FROM unnest(pins || CASE WHEN array_to_string(pins, ' ') LIKE '%features:%' THEN 'format@2' ELSE 'format@1' END) AS pin
$$;

UPDATE task_models SET pins = pg_temp.with_format(pins) WHERE status = 'active' AND array_to_string(pins, ' ') NOT LIKE '%format@%';
UPDATE task_model_batches SET pins = pg_temp.with_format(pins) WHERE array_to_string(pins, ' ') NOT LIKE '%format@%';
