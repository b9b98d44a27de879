-- When hosting is charged next follows from the other dates: infra/records/task-models/lifecycle-sql.ts says how.
ALTER TABLE task_models DROP COLUMN next_charge_at;
