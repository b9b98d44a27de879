import type { DataSet, ReferenceTask } from '../../contract/reference-data/data-set-schema.ts';
import { findElectrodes } from '../channel-names.ts';
import type { Annotation, Recording } from '../recording.ts';
import { ReferenceFault } from './fault.ts';
import { readLocalFile, type LocalFile } from './source.ts';

/** One run of one person, on the electrodes of its data set. */
export interface ReferenceRun {
  /** Path of the file. */
  readonly at: string;
  readonly person: string;
  readonly run: string;
  readonly published: boolean;
  /** Electrodes of the data set, in its order. */
  readonly electrodes: readonly string[];
  readonly rateHz: number;
  /** [electrodes][samples], microvolts. */
  readonly signal: readonly Float32Array[];
  readonly annotations: readonly Annotation[];
}

/** Path and person of a run. */
export type RunFile = Pick<LocalFile, 'at' | 'person' | 'run' | 'published'>;

/** Parts of a data set that reading a run needs. */
export type RunsOf = Pick<DataSet, 'name' | 'electrodes' | 'rateHz'>;

/**
 * Reads a run from this machine. Throws a ReferenceFault that names the file if it cannot be read or does not match the
 * data set: another rate, a missing electrode, or values outside the range of an electrode.
 */
export async function readRun(file: RunFile, set: RunsOf): Promise<ReferenceRun> {
  return runOf(await readLocalFile(file), file, set);
}

function runOf(
  { channels, annotations, gaps, notices }: Recording,
  { at, person, run, published }: RunFile,
  set: RunsOf,
): ReferenceRun {
  const refuse = (what: string): never => {
    throw new ReferenceFault('unreadable', `${at} is no recording of ${set.name}: ${what}.`);
  };
  if (gaps.length > 0 || notices.length > 0) refuse(notices[0]?.replace(/\.$/, '') ?? 'it has pauses');
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
 * Allowed standard deviations of a scalp electrode over a run, in microvolts. Lower values are amplifier noise. One
 * person in other units would corrupt the result for all people.
 */
const plausible = { least: 0.01, most: 1e6 } as const;

function spreadOf(values: Float32Array): number {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0));
}

/** A period in which the participant does one thing: one trial, or a period that is cut into trials. */
export interface ReferenceStretch {
  readonly classId: string;
  /** First sample. */
  readonly from: number;
  readonly samples: number;
}

/** Parts of a run that finding its stretches needs. */
export type MarkedRun = Pick<ReferenceRun, 'at' | 'run' | 'annotations' | 'rateHz' | 'signal'>;

/**
 * Most samples of all stretches together, in lengths of the run. Responses to flashes overlap because flashes follow
 * each other faster than a response lasts; in all other tasks stretches do not overlap.
 */
const mostTimesTheRun: Readonly<Record<ReferenceTask['kind'], number>> = { erp: 12, motor: 2, sleep: 2, other: 2 };

/**
 * The stretches of a run with the classes of a task, in time order. Each is as long as its mark, but at most as long as
 * the task allows. Throws a ReferenceFault that names the file if marks overlap more than in such recordings.
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
