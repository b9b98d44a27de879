import { createAttempts, type RunAttempt } from './attempts/attempts.ts';
import { createCompute, type Compute } from './compute/compute.ts';
import type { ActivityDeps, FaultPoint } from './deps.ts';
import { createMemoryRoom, type MemoryRoom } from './memory-room.ts';

/** What the activities share inside one process. */
export interface Tools extends ActivityDeps {
  readonly compute: Compute;
  readonly memory: MemoryRoom;
  readonly attempt: RunAttempt;
  /** Passes a fault point. */
  reach(point: FaultPoint): Promise<void>;
}

const usualFitMemory = 1024 ** 3;

export function createTools(deps: ActivityDeps): Tools {
  return {
    ...deps,
    compute: createCompute(deps.threads),
    memory: createMemoryRoom(deps.fitMemoryBytes ?? usualFitMemory),
    attempt: createAttempts(deps),
    reach: async (point) => deps.faults?.(point),
  };
}
