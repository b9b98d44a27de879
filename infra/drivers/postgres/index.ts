export { createPool, keepsSessions, openDatabase } from './pool.ts';
export { catalogOf, readCatalog, readDefinitions, type Catalog } from './catalog.ts';
export { databaseClock } from './clock.ts';
export { migrate } from './migrate.ts';
export { isReadOnly, isUniqueViolation, isUnreachable, sqlState, wasInVain } from './errors.ts';
export { prepared } from './prepared.ts';
export { CommitUnknown, committing, rehearsal, transaction } from './transaction.ts';
export type { Sql } from './transaction.ts';
