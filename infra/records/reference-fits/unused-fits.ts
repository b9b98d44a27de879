import type pg from 'pg';
import { objectNames } from '../../contract/object-names.ts';
import type { ReferenceTaskKey } from '../../contract/reference-data/preparation.ts';
import type { ReferenceFitRequest } from '../../contract/reference-fits.ts';
import type { ObjectStore } from '../../drivers/objects/object-store.ts';
import { transaction, type Sql } from '../../drivers/postgres/transaction.ts';
import { fitKeyOf } from './fits.ts';
import { peopleUsed } from '../reference-data/prepare.ts';
import { readPreparation, restSeconds } from '../reference-data/preparations.ts';

/** Days after which an unused fit is removed, and a fit of other people or versions than the current ones. */
export const keptDays = { unused: 30, outdated: 1 } as const;

export interface RemovedFits {
  readonly unused: number;
  readonly outdated: number;
}

/** Fits not requested since $1, not used by a running job, and not running at $2. */
const removable = `f.asked_at < $1::timestamptz
  AND (f.status NOT IN ('queued', 'running') OR f.updated_at < $2::timestamptz - make_interval(secs => ${restSeconds.lifeless}))
  AND NOT EXISTS (SELECT FROM fit_requests r WHERE r.finished_at IS NULL
    AND (r.request -> 'source' ->> 'reference' = f.ref OR r.request -> 'reference' ->> 'ref' = f.ref))`;

/**
 * Removes fits that will not be requested again, and their objects: fits that were not requested for a month, and fits
 * of other people or versions than current fits. Hosted models have their own copies.
 */
export async function removeUnusedFits(
  { pool, objects }: { readonly pool: pg.Pool; readonly objects: Pick<ObjectStore, 'delete'> },
  at: Date,
): Promise<RemovedFits> {
  const before = (days: number): Date => new Date(at.getTime() - days * 86_400_000);
  const peopleOf = peopleNow(pool);
  const removed = { unused: 0, outdated: 0 };
  for await (const { key, request, unused } of candidates(pool, before, at)) {
    const people = unused ? null : await peopleOf(request);
    if (!unused && (people === null || fitKeyOf(request, people) === key)) continue;
    const gone = await transaction(pool, async (sql) => {
      const { rows: deleted } = await sql.query<{ ref: string | null }>(
        `DELETE FROM reference_fits f WHERE f.key = $3 AND ${removable} RETURNING f.ref`,
        [before(keptDays.outdated), at, key],
      );
      if (deleted.length === 0) return false;
      await objects.delete(deleted[0].ref ?? objectNames.referenceFit(request, key));
      return true;
    });
    if (gone) removed[unused ? 'unused' : 'outdated'] += 1;
  }
  return removed;
}

interface Candidate {
  readonly key: string;
  readonly request: ReferenceFitRequest;
  readonly unused: boolean;
}

const pageSize = 500;

/** Every removable fit, by its key, page by page. */
async function* candidates(sql: Sql, before: (days: number) => Date, at: Date): AsyncGenerator<Candidate> {
  for (let after = ''; ;) {
    const { rows } = await sql.query<Candidate>(
      `SELECT f.key, f.request, f.asked_at < $3::timestamptz AS unused FROM reference_fits f
       WHERE ${removable} AND f.key > $4 ORDER BY f.key LIMIT ${pageSize}`,
      [before(keptDays.outdated), at, before(keptDays.unused), after],
    );
    yield* rows;
    if (rows.length < pageSize) return;
    after = rows.at(-1)!.key;
  }
}

/** The people of a task, read once; null while the task is not prepared and its people are unknown. */
function peopleNow(sql: Sql): (task: ReferenceTaskKey) => Promise<readonly { readonly ref: string }[] | null> {
  const known = new Map<string, readonly { readonly ref: string }[] | null>();
  return async ({ set, version, task }) => {
    const name = JSON.stringify([set, version, task]);
    if (!known.has(name)) {
      const key = { set, version, task };
      const { status } = await readPreparation(sql, key);
      known.set(name, status === 'ready' ? await peopleUsed(sql, key) : null);
    }
    return known.get(name)!;
  };
}
