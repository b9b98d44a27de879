import type pg from 'pg';
import { isUnreachable, wasInVain } from '../../drivers/postgres/index.ts';
import { goTogether, type Part, type Waiting } from '../together.ts';
import { admitTogether, type AdmittedTogether, type KeyLine, type Terms } from './admit-together.ts';
import { createKnownModels, type KnownModels } from './known-models.ts';
import { admit, type Admitted, type AdmissionRequest, type Refused } from './admit.ts';

/** What one statement admits at most. */
const most = { items: 64, bytes: Infinity } as const;

/** Statements that are under way at once. */
const atOnce = 2;

interface Asks {
  readonly request: AdmissionRequest;
  /** Admits or refuses it by itself. */
  readonly alone: () => Promise<Admitted | Refused>;
}

type Line = Pick<KeyLine, 'keyId' | 'secretHash'> & { readonly name: string; readonly kind: string } & Terms;

export interface AdmissionQueue {
  /**
   * As `admit`. Requests of one turn of the event loop go together, and so do those that come while as many statements
   * as may be are under way; those of one key and `secret` go one statement after another; one that does not pass there
   * is asked for `inTurn` by itself.
   */
  admit(secret: string, request: AdmissionRequest, inTurn: InTurn): Promise<Admitted | Refused>;
}

type InTurn = (work: () => Promise<Admitted | Refused>) => Promise<Admitted | Refused>;

/** What became of each request of one statement; of those that were refused with it, nothing. */
async function admitted(
  pool: pg.Pool,
  known: KnownModels,
  parts: readonly Part<Line, Asks, Admitted | Refused>[],
): Promise<(readonly [Waiting<Asks, Admitted | Refused>, AdmittedTogether])[]> {
  const all = parts.flatMap(({ ready }) => ready);
  const lines = parts.map(({ group, ready }) => ({ ...group, requests: ready.map(({ item }) => item.request) }));
  try {
    const admissions = await admitTogether(pool, parts[0]!.group, lines, known);
    return all.map((waiting, at) => [waiting, admissions[at]!]);
  } catch (error) {
    if (!isUnreachable(error) || wasInVain(error)) return all.map((waiting) => [waiting, 'alone']);
    for (const { reject } of all) reject(error);
    return [];
  }
}

export function createAdmissionQueue(pool: pg.Pool): AdmissionQueue {
  const known = createKnownModels();
  const join = goTogether<Line, Asks, Admitted | Refused>({
    atOnce,
    most,
    bytesOf: () => 0,
    nameOf: ({ name }) => name,
    kindOf: ({ kind }) => kind,
    begins: () => undefined,
    async run(parts) {
      for (const [{ item, resolve, reject }, admission] of await admitted(pool, known, parts))
        if (admission instanceof Error) reject(admission);
        else resolve(admission === 'alone' ? item.alone() : admission);
      return new Map();
    },
  });
  return {
    admit(secret, request, inTurn) {
      const alone = () => inTurn(() => admit(pool, request));
      if (request.model?.report) return alone();
      const { keyId, secretHash, scopes, whileSuspended, leaseSeconds } = request;
      const kind = `${whileSuspended} ${leaseSeconds} ${scopes.join(' ')}`;
      const line = {
        name: `${kind} ${keyId} ${secret}`,
        kind,
        keyId,
        secretHash,
        scopes,
        whileSuspended,
        leaseSeconds,
      };
      return join(line, { request, alone });
    },
  };
}
