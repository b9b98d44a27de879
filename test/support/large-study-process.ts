import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCompute } from '../../activities/compute/compute.ts';
import { firstFoldInParts } from '../../activities/compute/first-fold-in-parts.ts';
import { mergeInParts } from '../../activities/compute/merge-in-parts.ts';
import { createActivityThreads } from '../../activities/compute/pool.ts';
import { refitInParts } from '../../activities/compute/refit-in-parts.ts';
import { createFeatureTasks } from '../../api/intake/feature-tasks.ts';
import { planFit } from '../../api/intake/plan-fit.ts';
import { createObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { growHeaps } from '../../infra/main/heaps.ts';
import { fingerprintsOf } from '../../ml/signal/index.ts';
import { createRandom } from '../../ml/random.ts';
import type { Trials } from '../../ml/types.ts';
import { noEncoders } from './no-encoders.ts';

/** What the process prints once the study is fitted. */
export interface LargeStudy {
  readonly trials: number;
  /** Bytes that the fit was said to take beforehand. */
  readonly estimate: number;
  /** The most that was resident, bytes: before the fit, and at its end. */
  readonly before: number;
  readonly peak: number;
  readonly report: { readonly trials: number; readonly trials_sent?: number; readonly warnings: readonly string[] };
}

const [batches, perBatch, samples] = process.argv.slice(2).map(Number) as [number, number, number];
const channelNames = ['F3', 'F4', 'C3', 'Cz', 'C4', 'P3', 'P4', 'Pz'];
const rateHz = 256;
const peakBytes = (): number => 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]);

const random = createRandom(27);
const [channels, description] = [channelNames.length, 'imagined movement: left hand or right hand'];
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
  const data = await mergeInParts({ compute, objects, threads }, names, job, signal);
  const jobId = 'study';
  const scores = new Map<string, Uint8Array>();
  const { candidates, skipped } = plan;
  for (const { score, bytes } of await firstFoldInParts(compute, { jobId, data, candidates }, signal))
    scores.set(score.method, bytes);
  for (const { id: method, family, members: named = [] } of candidates) {
    if (scores.has(method)) continue;
    const members = named.flatMap((id) => scores.get(id) ?? []);
    const own = { signal, affinity: `${jobId}/${family}` };
    scores.set(method, (await compute('score', { jobId, data, method, members }, own)).bytes);
  }
  const all = [...scores.values()];
  const { report } = await refitInParts(compute, { jobId, data, scores: all, skipped, warnings: [] }, signal);
  return {
    trials: count,
    estimate: plan.fitBytes,
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
