/** Labelled trials in a client, before they are sent. */
export interface DemoTrials {
  /** [trials × channels × samples], microvolts. */
  readonly x: Float32Array;
  readonly samples: number;
  readonly rateHz: number;
  readonly channels: readonly string[];
  readonly labels: readonly string[];
  readonly sessions: readonly string[];
}

/** Trials of the demo, and the sentences that describe their source. */
export interface DemoRecording {
  readonly source: string;
  readonly notes: readonly string[];
  readonly description: string;
  readonly trials: DemoTrials;
}

/** The trials at `rows`, in that order. */
export function takeTrials(trials: DemoTrials, rows: readonly number[]): DemoTrials {
  const size = trials.channels.length * trials.samples;
  const x = new Float32Array(rows.length * size);
  rows.forEach((row, i) => x.set(trials.x.subarray(row * size, (row + 1) * size), i * size));
  return {
    ...trials,
    x,
    labels: rows.map((row) => trials.labels[row]),
    sessions: rows.map((row) => trials.sessions[row]),
  };
}

/** Concatenates recordings of the same channels and rate. */
export function joinTrials(parts: readonly DemoTrials[]): DemoTrials {
  const first = parts[0];
  for (const part of parts) {
    if (
      part.rateHz !== first.rateHz ||
      part.samples !== first.samples ||
      part.channels.join() !== first.channels.join()
    ) {
      throw new Error(
        'The recordings differ in their channels or sampling rate, so their trials cannot go into one request.',
      );
    }
  }
  const x = new Float32Array(parts.reduce((sum, part) => sum + part.x.length, 0));
  let at = 0;
  for (const part of parts) {
    x.set(part.x, at);
    at += part.x.length;
  }
  return {
    ...first,
    x,
    labels: parts.flatMap((part) => part.labels),
    sessions: parts.flatMap((part) => part.sessions),
  };
}

const minTrialsPerClass = 5;

/**
 * Splits rows into rows to fit on and rows to test on. The test rows are the last session if there are at least three
 * sessions, or two with enough trials; else the last quarter of each class.
 */
export function holdOut(trials: DemoTrials): { fit: number[]; kept: number[]; how: string } {
  const rows = trials.labels.map((_, i) => i);
  const sessions = [...new Set(trials.sessions)];
  const last = sessions.at(-1);
  const early = rows.filter((row) => trials.sessions[row] !== last);
  if (sessions.length > 1 && everyClassHas(trials, early, minTrialsPerClass)) {
    return { fit: early, kept: rows.filter((row) => trials.sessions[row] === last), how: `session ${last}` };
  }
  const kept = new Set<number>();
  for (const label of new Set(trials.labels)) {
    const own = rows.filter((row) => trials.labels[row] === label);
    const spare = Math.min(Math.ceil(own.length / 4), own.length - minTrialsPerClass);
    for (const row of own.slice(own.length - Math.max(0, spare))) kept.add(row);
  }
  return {
    fit: rows.filter((row) => !kept.has(row)),
    kept: [...kept].sort((a, b) => a - b),
    how: 'the last quarter of each class',
  };
}

function everyClassHas(trials: DemoTrials, rows: readonly number[], least: number): boolean {
  return [...new Set(trials.labels)].every(
    (label) => rows.filter((row) => trials.labels[row] === label).length >= least,
  );
}
