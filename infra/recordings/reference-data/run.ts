import type { DataSet, ReferenceTask } from '../../contract/reference-data/data-set-schema.ts';
import { findElectrodes } from '../channel-names.ts';
import type { Annotation, Recording } from '../edf/read-recording.ts';
import { ReferenceFault } from './fault.ts';
import { readLocalFile, type LocalFile } from './source.ts';

/** One run of one person, on the electrodes of its data set. */
export interface ReferenceRun {
  /** Where it lies. */
  readonly at: string;
  readonly person: string;
  readonly run: string;
  readonly published: boolean;
  /** The data set's, in its order. */
  readonly electrodes: readonly string[];
  readonly rateHz: number;
  /** [electrodes][samples], microvolts. */
  readonly signal: readonly Float32Array[];
  readonly annotations: readonly Annotation[];
}

/** Where a run lies, and whose it is. */
export type RunFile = Pick<LocalFile, 'at' | 'person' | 'run' | 'published'>;

/** What is to be known of a data set to read its runs. */
export type RunsOf = Pick<DataSet, 'name' | 'electrodes' | 'rateHz'>;

/**
 * Reads a run that is held. Throws a ReferenceFault that names the file where it cannot be read or is not as the data
 * set says: another rate, an electrode that is not there, values that no electrode measures.
 */
export async function readRun(file: RunFile, set: RunsOf): Promise<ReferenceRun> {
  return runOf(await readLocalFile(file), file, set);
}

function runOf(
  { channels, annotations }: Recording,
  { at, person, run, published }: RunFile,
  set: RunsOf,
): ReferenceRun {
  const refuse = (what: string): never => {
    throw new ReferenceFault('unreadable', `${at} is no recording of ${set.name}: ${what}.`);
  };
  const { electrodes: found, rateHz } = findElectrodes(channels);
  if (rateHz !== set.rateHz) refuse(`its electrodes are sampled at ${rateHz} Hz, those of the set at ${set.rateHz} Hz`);
  const byName = new Map(found.map((each) => [each.name, each]));
  const lacking = set.electrodes.filter((name) => !byName.has(name));
  if (lacking.length > 0)
    refuse(
      `${lacking.length} of ${set.electrodes.length} electrodes are not in it (${lacking.slice(0, 5).join(', ')})`,
    );
  const signal = set.electrodes.map((name) => {
    const { channel, gain } = byName.get(name)!;
    return gain === 1 ? channel.values : channel.values.map((value) => value * gain);
  });
  const spread = signal.map(spreadOf).sort((a, b) => a - b)[signal.length >> 1];
  if (!(spread >= plausible.least && spread <= plausible.most))
    refuse(
      `the middle one of its electrodes varies by ${Number(spread.toPrecision(2))} uV around its mean, where ` +
        `${plausible.least} to ${plausible.most} uV are possible`,
    );
  return { at, person, run, published, electrodes: set.electrodes, rateHz, signal, annotations };
}

/**
 * Standard deviations that a scalp electrode may have over a run, microvolts: below lies the noise of any amplifier,
 * and one person of other units would spoil what is learned from all.
 */
const plausible = { least: 0.01, most: 1e6 } as const;

function spreadOf(values: Float32Array): number {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0));
}

/** A time in which the participant does one thing: one trial, or what is cut into trials. */
export interface ReferenceStretch {
  readonly classId: string;
  /** First sample. */
  readonly from: number;
  readonly samples: number;
}

/** What is to be known of a run to find its stretches. */
export type MarkedRun = Pick<ReferenceRun, 'at' | 'run' | 'annotations' | 'rateHz' | 'signal'>;

/**
 * Samples of all stretches of a run at most, in lengths of the run. Flashes follow each other faster than the responses
 * to them last; elsewhere one thing is done at a time.
 */
const mostTimesTheRun: Readonly<Record<ReferenceTask['kind'], number>> = { erp: 12, motor: 2, sleep: 2, other: 2 };

/**
 * Where a run shows the classes of a task, in time order: as long as it is marked, and at most as the task has it.
 * Throws a ReferenceFault that names the file where marks lie over one another more often than such recordings have
 * them.
 */
export function findStretches(
  { at, run, annotations, rateHz, signal }: MarkedRun,
  { kind, classes, window: { cut, fromSeconds, longestSeconds } }: Pick<ReferenceTask, 'kind' | 'classes' | 'window'>,
): ReferenceStretch[] {
  const classOf = new Map(
    classes.flatMap(({ id: classId, takes }) =>
      takes.filter(({ runs }) => runs.includes(run)).flatMap((take) => take.annotations.map((text) => [text, classId])),
    ),
  );
  const stretches: ReferenceStretch[] = [];
  const length = signal[0].length;
  let marked = 0;
  for (const { onset, duration, text } of annotations) {
    const classId = classOf.get(text);
    if (classId === undefined) continue;
    const from = Math.round((onset + fromSeconds) * rateHz);
    const seconds = cut === 'span' ? Math.min(duration - fromSeconds, longestSeconds) : longestSeconds;
    const end = Math.min(length, Math.round((onset + fromSeconds + seconds) * rateHz));
    if (from < 0 || end <= from) continue;
    stretches.push({ classId, from, samples: end - from });
    marked += end - from;
  }
  const most = mostTimesTheRun[kind] * length;
  if (marked > most)
    throw new ReferenceFault(
      'unreadable',
      `${at} cannot be read: ${stretches.length} annotations mark ${marked} samples of trials in a run of ${length}, ` +
        `where at most ${most} are possible.`,
    );
  return stretches.sort((a, b) => a.from - b.from);
}
