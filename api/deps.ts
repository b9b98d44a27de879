import type pg from 'pg';
import type { Jobs } from '../infra/records/fit-jobs/jobs.ts';
import type { ObjectStore } from '../infra/drivers/objects/index.ts';
import type { AnswerLimits } from './http/answers.ts';
import type { BodyLimits } from './http/body.ts';
import type { ApiThreads } from './threads/client.ts';

/** Everything an API process needs; tests and `infra/main` build it. */
export interface ApiDeps {
  readonly pool: pg.Pool;
  readonly threads: ApiThreads;
  readonly objects: ObjectStore;
  readonly jobs: Pick<Jobs, 'runFit' | 'stopFit' | 'startCollecting' | 'refresh'>;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  readonly trustedProxies: readonly string[];
  /** Certificate chain and key (PEM) to serve HTTPS with; default: plain HTTP. */
  readonly tls?: { readonly cert: Uint8Array; readonly key: Uint8Array } | null;
  /** Refuses what came over plain HTTP from elsewhere. Default false. */
  readonly requireHttps?: boolean;
  /** Told about faults of the service: never a body, a secret or a full key. */
  readonly log: (line: string, error?: unknown) => void;
  /** A lease or lock whose process died frees itself after this time. Default 60. */
  readonly leaseSeconds?: number;
  /** What bodies may hold of the process's memory, and how slowly they may arrive. */
  readonly bodies?: BodyLimits;
  /** What answers may hold of the process's memory, and how slowly they may be read. */
  readonly answers?: AnswerLimits;
  /** Tasks that may wait for a thread before requests are answered 503 POOL_SATURATED. Default 64. */
  readonly queueLimit?: number;
}
