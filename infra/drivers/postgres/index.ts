export { createPool, keepsSessions, openDatabase } from './pool.ts';
export { migrate } from './migrate.ts';
export { isReadOnly, isUniqueViolation, isUnreachable, sqlState, wasInVain } from './errors.ts';
export { prepared } from './prepared.ts';
export { CommitUnknown, committing, rehearsal, transaction } from './transaction.ts';
export type { Sql } from './transaction.ts';
