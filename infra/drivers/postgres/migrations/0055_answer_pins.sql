-- How a model's scores become probabilities is a pin too. Models stored before it was one answer by version 1. Pins are sorted.
UPDATE task_models
SET pins = (SELECT array_agg(pin ORDER BY pin COLLATE "C") FROM unnest(pins || 'answer@1'::text) AS pin)
WHERE status = 'active' AND array_to_string(pins, ' ') NOT LIKE '%answer@%';
