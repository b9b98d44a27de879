export { createPool, keepsSessions, openDatabase } from './pool.ts';
export { catalogOf, readCatalog, readDefinitions, type Catalog } from './catalog.ts';
export { databaseClock, CommitUnknown, committing, rehearsal, transaction, type Sql } from './transaction.ts';
export { migrate } from './migrate.ts';
export { isReadOnly, isUniqueViolation, isUnreachable, sqlState, wasInVain } from './errors.ts';
export { prepared } from './prepared.ts';
