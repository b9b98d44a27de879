import { range, rowsOfEach } from '../rows.ts';
import type { TrainingData } from '../train/types.ts';

/** Limits: recordings that are compared (the largest), blocks (spread over all), trials of each. */
const most = { recordings: 32, blocks: 32, trials: 200 } as const;
/** Parts with fewer trials are not compared: they have no useful mean. */
const fewestTrials = 8;
/** Trials of a block, about one run of a recording. */
const blockTrials = 15;

/**
 * Rows of the parts of a caller's trials that are compared with people. Each recording is compared by itself, and so is
 * each block of trials in the order sent: several people may be sent as one recording, or one run as many sessions.
 * `rowsOf`: the rows among some that are read.
 */
export function comparedParts(
  { labels, recordings, sessions }: Pick<TrainingData, 'labels' | 'recordings' | 'sessions'>,
  rowsOf: (rows: Int32Array) => Int32Array = (rows) => rows,
): Int32Array[] {
  const each = rowsOfEach(recordings ?? sessions) ?? [range(labels.length)];
  const blocks = blocksOf(labels.length);
  const isOneBlock = each.length === 1 && blocks.length === 1;
  return [
    ...each.toSorted((a, b) => b.length - a.length).slice(0, most.recordings),
    ...(isOneBlock ? [] : spreadOut(blocks, most.blocks)),
  ]
    .map(rowsOf)
    .filter(({ length }) => length >= fewestTrials)
    .map((rows) => Int32Array.from(spreadOut([...rows], most.trials)));
}

/** Rows of blocks of about `blockTrials` trials, in the order sent. */
function blocksOf(trials: number): readonly Int32Array[] {
  const count = Math.max(1, Math.round(trials / blockTrials));
  const start = (block: number): number => Math.round((block * trials) / count);
  return Array.from({ length: count }, (_, b) =>
    Int32Array.from({ length: start(b + 1) - start(b) }, (_each, i) => start(b) + i),
  );
}

/** At most `count` of the values, spread over them. */
function spreadOut<T>(values: readonly T[], count: number): readonly T[] {
  const some = Math.min(values.length, count);
  return Array.from({ length: some }, (_, i) => values[Math.floor((i * values.length) / some)]);
}
