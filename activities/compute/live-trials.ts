import { sumCounts } from '../../infra/contract/class-counts.ts';
import type { StagedTrials, StoredBatch } from '../../infra/contract/fit-request.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import { trialsAt } from '../../ml/features/index.ts';
import { range } from '../../ml/rows.ts';

/** A message names this many trials. */
const namedTrials = 8;

type Labelled = Pick<StagedTrials, 'labels' | 'sessions' | 'recordings'>;

/**
 * Throws CLASSIFIER_FIT_FAILED, which names the flat trials, unless enough trials of each class are left. The message
 * goes through Temporal, so it contains no label.
 */
function requireEnough(labels: readonly string[], flatTrials: readonly { row: number; name: string }[]): void {
  const gone = new Set(flatTrials.map(({ row }) => row));
  const counts = sumCounts(labels.map((label, row) => [label, gone.has(row) ? 0 : 1] as const));
  const fewest = Math.min(...counts.values());
  if (flatTrials.length === 0 || fewest >= limits.minTrialsPerClass) return;
  const names = flatTrials.slice(0, namedTrials).map(({ name }) => name);
  const more = flatTrials.length > namedTrials ? ` and ${flatTrials.length - namedTrials} more` : '';
  throw new ApiError(
    'CLASSIFIER_FIT_FAILED',
    `${flatTrials.length} of ${labels.length} trials carry no signal: every channel is constant or nearly constant, or an ` +
      `artefact covers it (${names.join(', ')}${more}). A class is left with ${fewest} of the ` +
      `${limits.minTrialsPerClass} trials that are needed; nothing was charged.`,
  );
}

const kept = (count: number, flat: readonly number[]): Int32Array => {
  const gone = new Set(flat);
  return range(count).filter((row) => !gone.has(row));
};

const labelledAt = ({ labels, sessions, recordings }: Labelled, rows: Int32Array): Labelled => ({
  labels: Array.from(rows, (row) => labels[row]),
  sessions: sessions && Array.from(rows, (row) => sessions[row]),
  recordings: recordings && Array.from(rows, (row) => recordings[row]),
});

/** The staged trials without flat ones. Throws CLASSIFIER_FIT_FAILED if too few are left. */
export function liveTrials(staged: StagedTrials): StagedTrials {
  const { trials } = staged;
  const { flat = [] } = trials;
  if (flat.length === 0) return staged;
  requireEnough(
    staged.labels,
    flat.map((row) => ({ row, name: `trial ${row}` })),
  );
  const rows = kept(trials.trials, flat);
  return { ...staged, ...labelledAt(staged, rows), trials: trialsAt(trials, rows) };
}

/**
 * Rows of each stored batch that are not flat and whose class is not ignored. Throws CLASSIFIER_FIT_FAILED if too few
 * are left over all batches.
 */
export function liveRows(
  batches: readonly Pick<StoredBatch, 'labels' | 'flat'>[],
  ignored: ReadonlySet<string> = new Set(),
): Int32Array[] {
  let before = 0;
  const used = batches.map(({ labels }) => range(labels.length).filter((row) => !ignored.has(labels[row])));
  const flatTrials = batches.flatMap(({ flat = [] }, batch) => {
    const first = before;
    before += used[batch].length;
    return flat.flatMap((row) => {
      const at = used[batch].indexOf(row);
      return at < 0 ? [] : [{ row: first + at, name: `trial ${row} of batch ${batch + 1}` }];
    });
  });
  requireEnough(
    batches.flatMap(({ labels }, batch) => Array.from(used[batch], (row) => labels[row])),
    flatTrials,
  );
  return batches.map(({ flat = [] }, batch) => {
    const gone = new Set(flat);
    return used[batch].filter((row) => !gone.has(row));
  });
}
