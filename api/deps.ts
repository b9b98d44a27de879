import type pg from 'pg';
import type { AdmissionQueue } from '../infra/records/admission/admission-queue.ts';
import type { ChargeQueue } from '../infra/records/ledger/charge-queue.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { ReferenceTaskKey } from '../infra/contract/reference-data/preparation.ts';
import type { ReferenceFitRequest } from '../infra/contract/reference-fits.ts';
import type { StoredFit } from '../infra/records/reference-fits/fits.ts';
import type { StoredPreparation } from '../infra/records/reference-data/preparations.ts';
import type { Log } from '../infra/observe/log.ts';
import type { WeightsStatus } from '../infra/weights/weights-status.ts';
import type { Readiness } from '../infra/observe/readiness.ts';
import type { ObjectStore } from '../infra/drivers/objects/object-store.ts';
import type { AnswerLimits } from './http/bound-answers.ts';
import type { BodyLimits } from './http/body.ts';
import type { ApiThreads } from './threads/client.ts';

/**
 * Requests for reference recordings. A call never waits for their preparation; it starts it if that is due and allowed.
 */
export interface ReferenceRequests {
  preparation(key: ReferenceTaskKey, asking: Asking): Promise<StoredPreparation>;
  /** The task must be prepared. */
  fit(wanted: Omit<ReferenceFitRequest, 'key'>, asking: Asking): Promise<StoredFit>;
}

export interface Asking {
  readonly accountId: string;
  readonly at: Date;
  /** Whether to start what is due; false: only read the state. */
  readonly start: boolean;
}

/** Dependencies of an API process. `infra/main` and tests build it. */
export interface ApiDeps {
  readonly pool: pg.Pool;
  /** Queue of admissions. Default: a queue on `pool`. */
  readonly admissions?: AdmissionQueue;
  /** Queue of charges of predictions. Default: a queue on `pool`. */
  readonly charges?: ChargeQueue;
  readonly threads: ApiThreads;
  readonly objects: ObjectStore;
  readonly jobs: Pick<Jobs, 'runFit' | 'stopFit' | 'startCollecting' | 'refresh'>;
  readonly reference: ReferenceRequests;
  /** State of each pretrained model in this process. */
  readonly models: () => readonly WeightsStatus[];
  /** Whether the process accepts requests. */
  readonly readiness: Pick<Readiness, 'answer' | 'draining'>;
  /** The same in all API processes, so that each accepts the session tokens of the others. */
  readonly sessionSecret: string;
  /** Addresses or CIDR ranges of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  readonly trustedProxies: readonly string[];
  /** Addresses or CIDR ranges that may read `/metrics`, in addition to loopback. */
  readonly metricsAllow?: readonly string[];
  /** Host names that requests for `/metrics` may use, in addition to addresses and `localhost`. */
  readonly metricsHosts?: readonly string[];
  /** Certificate chain and key (PEM) to serve HTTPS with; default: plain HTTP. */
  readonly tls?: { readonly cert: Uint8Array; readonly key: Uint8Array } | null;
  /** Rejects requests from other machines over plain HTTP. Default false. */
  readonly requireHttps?: boolean;
  /** Log of the service's faults. It never gets a body, a secret or a full key. */
  readonly log: Log;
  /** A lease or lock of a dead process expires after this time. Default 60. */
  readonly leaseSeconds?: number;
  /** Memory for request bodies in this process, and the slowest accepted upload. */
  readonly bodies?: BodyLimits;
  /** Memory for answers in this process, and the slowest accepted reader. */
  readonly answers?: AnswerLimits;
  /** Longest queue of the threads; further requests are answered 503 POOL_SATURATED. Default 64. */
  readonly queueLimit?: number;
}
