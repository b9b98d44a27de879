import { createCompute } from '../../activities/compute/compute.ts';
import { extractInParts } from '../../activities/compute/extract-in-parts.ts';
import { createActivityThreads } from '../../activities/compute/pool.ts';
import { planFit } from '../../api/threads/plan.ts';
import { encode } from '../../infra/drivers/codec.ts';
import { growHeaps } from '../../infra/main/heaps.ts';
import { createRandom } from '../../ml/random.ts';
import { cpuSeconds, fitInThreads, peakBytes } from './fit-in-threads.ts';

/** What the process prints of its fit. */
export interface FitCost {
  readonly trials: number;
  /** What the plan said beforehand. */
  readonly estimate: { readonly bytes: number; readonly seconds: number };
  /** Bytes by which the resident memory grew, and seconds of processor time. */
  readonly measured: { readonly bytes: number; readonly seconds: number };
}

const [description, channels, trials, samples] = process.argv.slice(2) as [string, string, string, string];
const shape = { channels: Number(channels), trials: Number(trials), samples: Number(samples) };
const channelNames = Array.from({ length: shape.channels }, (_, c) => `E${c + 1}`);
const rateHz = 256;
const random = createRandom(27);
const labels = Array.from({ length: shape.trials }, () => (random() < 0.5 ? 'one' : 'other'));

/** Noise, stronger in one channel for one class. */
function staged(): Uint8Array {
  const data = new Float32Array(shape.trials * shape.channels * shape.samples);
  for (let at = 0; at < data.length; at += 1) data[at] = 20 * (random() + random() - 1);
  for (let trial = 0; trial < shape.trials; trial += 1) {
    const from = trial * shape.channels * shape.samples;
    if (labels[trial] === 'one') for (let at = from; at < from + shape.samples; at += 1) data[at]! *= 1.2;
  }
  return encode({ format: 2, trials: { ...shape, data, rateHz, sourceRateHz: rateHz, channelNames }, labels, sessions: null });
}

const plan = planFit({
  description,
  trialsPerClass: Object.fromEntries(
    ['one', 'other'].map((name) => [name, labels.filter((label) => label === name).length]),
  ),
  channelNames,
  sourceRateHz: rateHz,
  samples: shape.samples,
  seconds: shape.samples / rateHz,
  sessions: 1,
  storedFeaturesOnly: false,
  missingChannels: 'nearest',
});
growHeaps();
await using threads = Object.assign(createActivityThreads(2), { [Symbol.asyncDispose]: () => threads.close() });
const compute = createCompute(threads);
const { signal } = new AbortController();
const bytes = staged();
await Promise.all([0, 1].map(() => compute('open', { bytes: encode({ format: 2, training: { features: { sets: {} } } }) }, { signal })));
const before = { bytes: process.memoryUsage.rss(), seconds: cpuSeconds() };
const job = { featureSets: plan.featureSets, taskKind: plan.kind };
const data = await extractInParts(compute, 2, bytes, job, signal);
await fitInThreads(compute, 'job', data, plan);
const cost: FitCost = {
  trials: data.training.features.trials,
  estimate: { bytes: plan.fitBytes, seconds: 0 },
  measured: { bytes: peakBytes() - before.bytes, seconds: cpuSeconds() - before.seconds },
};
process.stdout.write(`${JSON.stringify(cost)}\n`);
