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

/** Reference recordings as the API asks for them: a call waits for nothing, and starts what is due where it may. */
export interface ReferenceDesk {
  preparation(key: ReferenceTaskKey, asking: Asking): Promise<StoredPreparation>;
  /** Its task must be prepared. */
  fit(wanted: Omit<ReferenceFitRequest, 'key'>, asking: Asking): Promise<StoredFit>;
}

export interface Asking {
  readonly accountId: string;
  readonly at: Date;
  /** Whether what is due is started; else it is only looked at. */
  readonly start: boolean;
}

/** Everything an API process needs; tests and `infra/main` build it. */
export interface ApiDeps {
  readonly pool: pg.Pool;
  /** Admits requests. Default: a queue on `pool`. */
  readonly admissions?: AdmissionQueue;
  /** Charges predictions. Default: a queue on `pool`. */
  readonly charges?: ChargeQueue;
  readonly threads: ApiThreads;
  readonly objects: ObjectStore;
  readonly jobs: Pick<Jobs, 'runFit' | 'stopFit' | 'startCollecting' | 'refresh'>;
  readonly reference: ReferenceDesk;
  /** How pretrained models stand in this process now. */
  readonly models: () => readonly WeightsStatus[];
  /** Whether the process serves now. */
  readonly readiness: Pick<Readiness, 'answer' | 'draining'>;
  /** The same for all API processes: what is made of it for a browser, every one of them recognises. */
  readonly sessionSecret: string;
  /** Addresses or CIDR ranges whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  readonly trustedProxies: readonly string[];
  /** Addresses or CIDR ranges besides loopback that may read `/metrics`. */
  readonly metricsAllow?: readonly string[];
  /** Names besides addresses and `localhost` that the Host of a request for `/metrics` may give. */
  readonly metricsHosts?: readonly string[];
  /** Certificate chain and key (PEM) to serve HTTPS with; default: plain HTTP. */
  readonly tls?: { readonly cert: Uint8Array; readonly key: Uint8Array } | null;
  /** Refuses what came over plain HTTP from elsewhere. Default false. */
  readonly requireHttps?: boolean;
  /** Told about faults of the service: never a body, a secret or a full key. */
  readonly log: Log;
  /** A lease or lock whose process died frees itself after this time. Default 60. */
  readonly leaseSeconds?: number;
  /** What bodies may hold of the process's memory, and how slowly they may arrive. */
  readonly bodies?: BodyLimits;
  /** What answers may hold of the process's memory, and how slowly they may be read. */
  readonly answers?: AnswerLimits;
  /** Tasks that may wait for a thread before requests are answered 503 POOL_SATURATED. Default 64. */
  readonly queueLimit?: number;
}
