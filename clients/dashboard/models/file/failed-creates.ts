import type { Failure } from '../../fetch.ts';

/** Why creates of this tab failed after their model page was opened, by the id of the model. */
const failures = new Map<string, Failure>();

export const createFailed = (id: string, failure: Failure): void => void failures.set(id, failure);
export const failureOfCreate = (id: string): Failure | null => failures.get(id) ?? null;
