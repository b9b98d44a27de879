import type pg from 'pg';
import type { Jobs } from '../infra/records/fit-jobs/jobs.ts';
import type { ObjectStore } from '../infra/drivers/objects/index.ts';
import type { ThreadPool } from '../infra/drivers/threads/index.ts';

/** Everything an API process needs; tests and `infra/main` build it. */
export interface ApiDeps {
  readonly pool: pg.Pool;
  /** Pool over `api/threads/entry.ts`, started with `ThreadData`. */
  readonly threads: ThreadPool;
  readonly objects: ObjectStore;
  readonly jobs: Pick<Jobs, 'runFit' | 'startCollecting' | 'refresh'>;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Told about faults of the service: never a body, a secret or a full key. */
  readonly log: (line: string, error?: unknown) => void;
  /** A lease or lock whose process died frees itself after this time. Default 60. */
  readonly leaseSeconds?: number;
  /** Tasks that may wait for a thread before requests are answered 503 POOL_SATURATED. Default 64. */
  readonly queueLimit?: number;
}

/** `workerData` of `api/threads/entry.ts`. */
export interface ThreadData {
  readonly objects: { readonly url: string; readonly key: Uint8Array };
  /** Fitted models kept in memory by each thread. Default 64. */
  readonly cachedModels?: number;
}
