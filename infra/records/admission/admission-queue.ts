import type pg from 'pg';
import { createBatchQueue } from '../batch-queue.ts';
import { admitRequests, type Admission, type AdmissionRequest, type Credential, type Terms } from './admit.ts';

/** Most requests per statement. */
const most = { items: 64, bytes: Infinity } as const;

/** Most concurrent statements. */
const atOnce = 2;

/** Callers of one kind, under the same terms, share a statement. */
interface Caller extends Terms {
  readonly credential: Credential;
  readonly kind: string;
  readonly name: string;
}

export interface AdmissionQueue {
  /** Admits or refuses a request. Requests that arrive together share a round trip; none waits for another account. */
  admit(credential: Credential, request: AdmissionRequest): Promise<Admission>;
}

function callerOf(credential: Credential, { scopes, whileSuspended, leaseSeconds, model }: AdmissionRequest): Caller {
  const of = credential.kind === 'key' ? '' : credential.terms;
  const kind = [credential.kind, of, whileSuspended, leaseSeconds, model?.report ?? false, ...scopes].join(' ');
  const who = credential.kind === 'key' ? credential.keyId : credential.mode;
  const name = `${kind} ${who} ${Buffer.from(credential.hash).toString('base64')}`;
  return { credential, kind, name, scopes, whileSuspended, leaseSeconds };
}

export function createAdmissionQueue(pool: pg.Pool): AdmissionQueue {
  const admit = createBatchQueue<Caller, AdmissionRequest, Admission>({
    atOnce,
    most,
    bytesOf: () => 0,
    nameOf: ({ name }) => name,
    kindOf: ({ kind }) => kind,
    begins: () => undefined,
    run: (parts, waits) =>
      admitRequests(
        pool,
        parts[0]!.group,
        parts.map(({ group: { credential }, items }) => ({ credential, requests: items })),
        waits,
      ),
  });
  return { admit: (credential, request) => admit(callerOf(credential, request), request) };
}
