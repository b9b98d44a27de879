-- Which account had a fit started, so that no account holds all that may be under way; null: nobody's.
ALTER TABLE reference_fits ADD COLUMN account_id uuid;
