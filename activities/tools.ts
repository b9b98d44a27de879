import { createAttempts, type RunAttempt } from './attempts/attempts.ts';
import { createCompute, type Compute } from './compute/compute.ts';
import { databaseClock } from '../infra/drivers/postgres/transaction.ts';
import type { ActivityDeps, FaultPoint } from './deps.ts';

/** What the activities share in one process. */
export interface Tools extends ActivityDeps {
  readonly compute: Compute;
  readonly attempt: RunAttempt;
  readonly clock: (workflowMs: number) => Promise<Date>;
  /** Calls `faults` with the name of a fault point. */
  reach(point: FaultPoint): Promise<void>;
}

export function createTools(deps: ActivityDeps): Tools {
  return {
    ...deps,
    compute: createCompute(deps.threads),
    attempt: createAttempts(deps),
    clock: deps.clock ?? (() => databaseClock(deps.pool)),
    reach: async (point) => deps.faults?.(point),
  };
}
