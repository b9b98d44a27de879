import { createBlobs, type Blobs } from './compute/blobs.ts';
import { createCompute, type Compute } from './compute/compute.ts';
import { createRecent, type Recent } from './compute/recent.ts';
import type { ActivityDeps, FaultPoint } from './deps.ts';

/** What the activities share inside one process. */
export interface Tools extends ActivityDeps {
  readonly compute: Compute;
  readonly blobs: Blobs;
  readonly recent: Recent;
  /** Passes a fault point. */
  reach(point: FaultPoint): Promise<void>;
}

export function createTools(deps: ActivityDeps): Tools {
  const compute = createCompute(deps.threads);
  return {
    ...deps,
    compute,
    blobs: createBlobs({ objects: deps.objects, compute }),
    recent: createRecent(deps.objects),
    reach: async (point) => deps.faults?.(point),
  };
}
