import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataSetOf, filesOf } from '../../../infra/contract/reference-data/data-sets.ts';
import { referenceVersions } from '../../../infra/contract/reference-data/preparation.ts';
import { decode, encode } from '../../../infra/drivers/codec.ts';
import { readRun } from '../../../infra/recordings/reference-data/run.ts';
import { findTrials } from '../../support/reference-trials.ts';
import { personFeatures } from '../../../ml/reference-fits/person-features.ts';
import type { PersonFeatures } from '../../../ml/reference-fits/types.ts';
import { resample } from '../../../ml/signal/index.ts';
import type { Trials } from '../../../ml/types.ts';
import { dataFolder } from '../../support/recordings.ts';

/** The runs of imagined left and right fist, in order; the last is held out. */
export const runs = ['04', '08', '12'] as const;
export const seconds = 4;
const rateHz = 256;
const set = dataSetOf('eegmmidb');
export const task = set.tasks.find(({ id }) => id === 'left-right-fist-imagined')!;
export const { electrodes, name: setName } = set;
/** What the person of the bench calls the classes, in the order of the task's. */
export const classNames = ['left', 'right'] as const;

export interface BenchPerson {
  readonly id: string;
  /** What is stored of the person as one of the others; made at the first use. */
  readonly features: PersonFeatures;
  /** Own trials in time order, on all electrodes of the set. */
  readonly trials: Trials;
  readonly labels: readonly string[];
  /** Run of each trial. */
  readonly runs: readonly string[];
}

/** Folder in the official layout: `REFERENCE_DATA_URL` where it is one (`file:`), else that of the real sets. */
export function folderOf(url = process.env['REFERENCE_DATA_URL']): string {
  if (!url) return dataFolder;
  if (!url.startsWith('file:')) throw new Error(`The bench reads a folder: file:…, not ${url}.`);
  return fileURLToPath(url.replace(/^file:(?!\/\/)/, 'file://'));
}

/**
 * People of the folder who have all three runs, at most `most`. `kept`: folder that keeps what is stored of them, so that
 * the next bench need not make it again.
 */
export async function readPeople(folder: string, most: number, kept: string | null): Promise<BenchPerson[]> {
  const files = filesOf(set, new Set(runs)).map((file) => ({ ...file, at: join(folder, set.folder, file.path) }));
  const ids = [...new Set(files.map(({ person }) => person))].filter((id) =>
    files.filter(({ person }) => person === id).every(({ at }) => existsSync(at)),
  );
  const people: BenchPerson[] = [];
  for (const id of ids.slice(0, most)) {
    const own = files.filter(({ person }) => person === id);
    const read = await Promise.all(own.map((file) => readRun({ ...file, published: true }, set)));
    people.push(personOf(id, read, kept && join(kept, `${id}-${referenceVersions.features}.cbor`)));
  }
  return people;
}

type Run = Awaited<ReturnType<typeof readRun>>;

function featuresOf(id: string, read: readonly Run[], kept: string | null): PersonFeatures {
  if (kept && existsSync(kept)) return decode<PersonFeatures>(readFileSync(kept));
  const features = personFeatures(
    id,
    read.map((run) => ({
      ...run,
      stretches: findTrials(run, task, seconds).map((trial) => ({ ...trial, samples: seconds * run.rateHz })),
    })),
    { kind: 'motor', classes: task.classes.map((each) => each.id) },
  );
  if (kept) writeFileSync(kept, encode(features));
  return features;
}

/** Trials that begin at these samples of their runs, on all electrodes of the set. */
export function trialsOf(cut: readonly { readonly run: Run; readonly from: number }[]): Trials {
  const samples = seconds * rateHz;
  const size = electrodes.length * samples;
  const data = new Float32Array(cut.length * size);
  cut.forEach(({ run, from }, t) => {
    const sent = new Float32Array(electrodes.length * seconds * run.rateHz);
    run.signal.forEach((row, c) => sent.set(row.subarray(from, from + seconds * run.rateHz), c * seconds * run.rateHz));
    data.set(resample(sent, electrodes.length, seconds * run.rateHz, run.rateHz, rateHz).data, t * size);
  });
  return {
    data,
    trials: cut.length,
    channels: electrodes.length,
    samples,
    rateHz,
    sourceRateHz: set.rateHz,
    channelNames: electrodes,
    resampler: 1,
  };
}

function personOf(id: string, read: readonly Run[], kept: string | null): BenchPerson {
  const found = read.map((run) => findTrials(run, task, seconds));
  const cut = read.flatMap((run, r) => found[r]!.map(({ from, classId }) => ({ run, from, classId })));
  let features: PersonFeatures | undefined;
  return {
    id,
    get features() {
      return (features ??= featuresOf(id, read, kept));
    },
    trials: trialsOf(cut),
    labels: cut.map(({ classId }) => classNames[task.classes.findIndex((each) => each.id === classId)]!),
    runs: cut.map(({ run }) => run.run),
  };
}

/** Some trials of a person on some electrodes. */
export function someTrials(
  { trials }: Pick<BenchPerson, 'trials'>,
  rows: readonly number[],
  channelNames: readonly string[],
): Trials {
  const { samples, channels } = trials;
  const data = new Float32Array(rows.length * channelNames.length * samples);
  rows.forEach((row, t) =>
    channelNames.forEach((name, c) => {
      const from = (row * channels + electrodes.indexOf(name)) * samples;
      data.set(trials.data.subarray(from, from + samples), (t * channelNames.length + c) * samples);
    }),
  );
  return { ...trials, data, trials: rows.length, channels: channelNames.length, channelNames };
}
