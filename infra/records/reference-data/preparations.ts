import {
  isStopped,
  referenceVersions,
  type PeopleCounts,
  type PreparationProgress,
  type PreparationStatus,
  type ReferenceTaskKey,
} from '../../contract/reference-data/preparation.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { secondsLeft } from './estimate.ts';

/** Stored state of the preparation of one task of a data set. */
export interface StoredPreparation {
  readonly status: PreparationStatus;
  /** For `failed` and `required`: whether the same attempt may succeed later. */
  readonly retryable: boolean;
  /** The problem in one sentence, with file and fault; null: no problem. */
  readonly reason: string | null;
  /** Seconds until it is ready; null: unknown. */
  readonly estimatedSeconds: number | null;
  readonly people: PeopleCounts | null;
  /** Progress since its last start; null: it has not checked the source yet. */
  readonly progress: PreparationProgress | null;
  /** Whether the next request that needs it must start it: it has not begun, is stalled, or failed some time ago. */
  readonly due: boolean;
}

/** The values that find the rows of a task. */
export const taskValues = ({ set, version, task }: ReferenceTaskKey): string[] => [
  set,
  version,
  task,
  referenceVersions.features,
];

/** SQL condition for these rows, as $1 to $4. */
export const isTask = 'data_set = $1 AND version = $2 AND task = $3 AND features_version = $4';

/** Seconds without progress after which a preparation is started again, or a failed one may be tried again. */
export const restSeconds = { lifeless: 60, retryable: 30, ended: 300 } as const;

/** Whether the next request that needs it must start it. `still`: seconds since its last progress. */
export function isDue({ status, retryable, still }: Pick<Row, 'status' | 'retryable' | 'still'>): boolean {
  const rest = isStopped(status) ? restSeconds[retryable ? 'retryable' : 'ended'] : restSeconds.lifeless;
  return status !== 'ready' && still > rest;
}

interface Row {
  readonly task: string;
  readonly status: Exclude<PreparationStatus, 'absent'>;
  readonly retryable: boolean;
  readonly reason: string | null;
  readonly askedAt: Date;
  readonly usual: number;
  readonly usualBytes: number;
  readonly allPeople: number;
  /** Seconds since its last progress. */
  readonly still: number;
  readonly people: number;
  readonly open: number;
  readonly used: number;
  readonly own: number;
  readonly faulty: number;
  readonly files: number;
  readonly allFiles: number;
  readonly bytes: number;
  readonly allBytes: number;
  readonly computedBytes: number;
  readonly computedSeconds: number;
  readonly openBytes: number;
  readonly runningSeconds: number;
}

const open = `p.status IN ('waiting', 'running')`;
const count = (where: string): string => `count(*) FILTER (WHERE ${where})::int`;
const sum = (value: string, where = 'true'): string =>
  `coalesce(sum(${value}) FILTER (WHERE ${where}), 0)::double precision`;

/** State of a reference task at an instant. */
export async function readPreparation(
  sql: Sql,
  key: ReferenceTaskKey,
  at: Date = new Date(),
): Promise<StoredPreparation> {
  const { rows } = await sql.query<Row>(
    `SELECT t.task, t.status, t.retryable, t.reason, t.asked_at AS "askedAt", t.usual_bytes AS "usualBytes",
       t.usual_seconds_per_byte AS usual, t.all_people AS "allPeople",
       extract(epoch FROM $4::timestamptz - t.updated_at)::double precision AS still,
       count(p.person)::int AS people, ${count(open)} AS open, ${count(`p.status = 'used'`)} AS used,
       ${count(`p.status = 'used' AND p.own`)} AS own, ${count(`p.status IN ('faulty', 'interrupted')`)} AS faulty,
       ${sum('p.files')} AS files, ${sum('p.all_files')} AS "allFiles",
       ${sum('p.bytes')} AS bytes, ${sum('p.all_bytes')} AS "allBytes",
       ${sum('p.all_bytes', `p.seconds IS NOT NULL AND NOT (${open})`)} AS "computedBytes",
       ${sum('p.seconds', `p.seconds IS NOT NULL AND NOT (${open})`)} AS "computedSeconds",
       ${sum('p.all_bytes', open)} AS "openBytes",
       ${sum('extract(epoch FROM $4::timestamptz - p.started_at)', `p.status = 'running'`)} AS "runningSeconds"
     FROM reference_preparations t
     LEFT JOIN reference_people p USING (data_set, version, task, features_version)
     WHERE t.data_set = $1 AND t.version = $2 AND t.features_version = $3
     GROUP BY t.data_set, t.version, t.task, t.features_version`,
    [key.set, key.version, referenceVersions.features, at],
  );
  const own = rows.find(({ task }) => task === key.task);
  return own ? stateOf(own, rows) : absent;
}

const absent: StoredPreparation = {
  status: 'absent',
  retryable: true,
  reason: null,
  estimatedSeconds: null,
  people: null,
  progress: null,
  due: true,
};

/** `all`: the tasks of its data set, which are prepared one after another. */
function stateOf(row: Row, all: readonly Row[]): StoredPreparation {
  const { status, retryable, reason, people, used, own, faulty } = row;
  const ahead = all.filter((other) => other !== row && status === 'queued' && isAhead(other, row));
  return {
    status,
    retryable,
    reason,
    estimatedSeconds: status === 'ready' ? null : [row, ...ahead].reduce((seconds, each) => seconds + left(each), 0),
    people: people > 0 && row.open === 0 ? { used, own, faulty, missing: row.allPeople - used - faulty } : null,
    progress:
      people > 0
        ? {
            people: { done: people - row.open, total: people },
            files: { done: row.files, total: row.allFiles },
            bytes: { done: row.bytes, total: row.allBytes },
          }
        : null,
    due: isDue(row),
  };
}

const isAhead = ({ status, askedAt }: Row, row: Row): boolean =>
  status === 'running' || (status === 'queued' && askedAt < row.askedAt);

/** Whole seconds. The people are known after the source was checked. */
function left({ usual, usualBytes, allPeople, people, ...seen }: Row): number {
  const known = people > 0;
  return Math.ceil(
    secondsLeft({
      usualSecondsPerByte: usual,
      people: known ? people : allPeople,
      bytes: known ? seen.allBytes : usualBytes,
      computed: { bytes: seen.computedBytes, seconds: seen.computedSeconds },
      left: {
        people: known ? seen.open : allPeople,
        bytes: known ? seen.openBytes : usualBytes,
        runningSeconds: seen.runningSeconds,
      },
    }),
  );
}
