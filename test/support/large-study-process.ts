import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCompute } from '../../activities/compute/compute.ts';
import { mergeInParts } from '../../activities/compute/merge-in-parts.ts';
import { createActivityThreads } from '../../activities/compute/pool.ts';
import { createFeatureTasks } from '../../api/threads/features.ts';
import { planFit } from '../../api/threads/plan.ts';
import { createObjectStore } from '../../infra/drivers/objects/index.ts';
import { growHeaps } from '../../infra/main/heaps.ts';
import { fingerprintsOf } from '../../ml/signal/index.ts';
import { createRandom } from '../../ml/random.ts';
import type { FitCost } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { cpuSeconds, fitInThreads, peakBytes } from './fit-in-threads.ts';
import { noEncoders } from './no-encoders.ts';

/** What the process prints once the study is fitted. */
export interface LargeStudy {
  readonly trials: number;
  /** The cost of the fit that was estimated beforehand. */
  readonly estimate: FitCost;
  /** The most that was resident, bytes: before the fit, and at its end. */
  readonly before: number;
  readonly peak: number;
  /** Processor time of the fit, seconds. */
  readonly seconds: number;
  readonly report: { readonly trials: number; readonly trials_sent?: number; readonly warnings: readonly string[] };
}

const [batches, perBatch, samples, channels = 8] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number?,
];
const channelNames = ['F3', 'F4', 'C3', 'Cz', 'C4', 'P3', 'P4', 'Pz'].concat(
  Array.from({ length: channels - 8 }, (_, c) => `E${c}`),
);
const rateHz = 256;

const random = createRandom(27);
const description = 'imagined movement: left hand or right hand';
const labelOf = (trial: number): string => (trial % 2 ? 'left hand' : 'right hand');

/** Noise, stronger over one motor area in each class. */
function batch(): Trials {
  const data = new Float32Array(perBatch * channels * samples);
  for (let at = 0; at < data.length; at += 1) data[at] = 20 * (random() + random() - 1);
  for (let trial = 0; trial < perBatch; trial += 1) {
    const from = (trial * channels + (trial % 2 ? 2 : 4)) * samples;
    for (let at = from; at < from + samples; at += 1) data[at]! *= 1.2;
  }
  const trials = { data, trials: perBatch, channels, samples, rateHz, sourceRateHz: rateHz, channelNames };
  return { ...trials, fingerprints: fingerprintsOf(trials) };
}

/** The study as the API stores it and a worker fits it, in one process. */
async function study(folder: string): Promise<LargeStudy> {
  const objects = createObjectStore({ url: pathToFileURL(folder).href, keys: [new Uint8Array(32).fill(7)] });
  const { storeBatch } = createFeatureTasks(objects, noEncoders);
  const count = batches * perBatch;
  const plan = planFit({
    description,
    trialsPerClass: { 'left hand': count / 2, 'right hand': count / 2 },
    channelNames,
    sourceRateHz: rateHz,
    samples,
    seconds: samples / rateHz,
    sessions: 1,
    storedFeaturesOnly: true,
    missingChannels: 'nearest',
  });
  const labels = Array.from({ length: perBatch }, (_, trial) => labelOf(trial));
  const names = Array.from({ length: batches }, (_, at) => `features/study/${at}`);
  for (const [at, name] of names.entries())
    await storeBatch({
      name,
      trials: batch(),
      labels,
      sessions: null,
      channels: channelNames,
      ...(at === 0 ? { featureSets: plan.featureSets } : { like: names[0] }),
    });
  const before = peakBytes();

  growHeaps();
  await using threads = Object.assign(createActivityThreads(2), { [Symbol.asyncDispose]: () => threads.close() });
  const compute = createCompute(threads);
  const { signal } = new AbortController();
  const job = { featureSets: plan.featureSets, taskKind: plan.kind };
  const began = cpuSeconds();
  const data = await mergeInParts({ compute, objects, threads }, names, job, signal);
  const { report } = await fitInThreads(compute, 'study', data, plan);
  return {
    seconds: cpuSeconds() - began,
    trials: count,
    estimate: plan.cost,
    before,
    peak: peakBytes(),
    report: report as unknown as LargeStudy['report'],
  };
}

const folder = await mkdtemp(join(tmpdir(), 'eeg-study-'));
try {
  process.stdout.write(`${JSON.stringify(await study(folder))}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
