import { migrationOf } from '../../infra/drivers/postgres/migration-files.ts';

/** A migration that adds to the baseline: builds that do not know it work with it. */
export const oneMoreMigration = migrationOf(
  '0999_one_more.sql',
  `-- expand\nALTER TABLE task_models ADD COLUMN one_more text NOT NULL DEFAULT 'none';\n`,
);
