import { createCompute } from '../../activities/compute/compute.ts';
import { extractInParts } from '../../activities/compute/extract-in-parts.ts';
import { createActivityThreads } from '../../activities/compute/pool.ts';
import { planFit, type Plan } from '../../api/threads/plan.ts';
import { encode } from '../../infra/drivers/codec.ts';
import { growHeaps } from '../../infra/main/heaps.ts';
import { createRandom } from '../../ml/random.ts';
import type { FitCost } from '../../ml/train/index.ts';
import { cpuSeconds, fitInThreads, peakBytes } from './fit-in-threads.ts';

/** A fit to measure: its shape, at 256 Hz. */
export interface Shape {
  readonly description: string;
  readonly channels: number;
  readonly trials: number;
  readonly samples: number;
}

/** What the process prints: the estimate of the plan, the bytes by which the process grew, the processor time. */
export interface MeasuredFit {
  readonly estimate: FitCost;
  readonly bytes: number;
  readonly seconds: number;
}

const rateHz = 256;
const random = createRandom(27);

/** Noise, louder in every channel for one class; and the plan of its fit. */
function study({ description, ...shape }: Shape): { staged: Uint8Array; plan: Plan } {
  const { channels, trials, samples } = shape;
  const channelNames = Array.from({ length: channels }, (_, c) => `E${c + 1}`);
  const labels = Array.from({ length: trials }, () => (random() < 0.5 ? 'one' : 'other'));
  const count = (name: string): number => labels.filter((label) => label === name).length;
  const size = channels * samples;
  const data = Float32Array.from({ length: trials * size }, (_, at) => {
    const strength = labels[Math.floor(at / size)] === 'one' ? 24 : 20;
    return strength * (random() + random() - 1);
  });
  const plan = planFit({
    description,
    trialsPerClass: { one: count('one'), other: count('other') },
    channelNames,
    sourceRateHz: rateHz,
    samples,
    seconds: samples / rateHz,
    sessions: 1,
    storedFeaturesOnly: false,
    missingChannels: 'nearest',
  });
  const signal = { ...shape, data, rateHz, sourceRateHz: rateHz, channelNames };
  return { staged: encode({ format: 2, trials: signal, labels, sessions: null }), plan };
}

growHeaps();
await using threads = Object.assign(createActivityThreads(2), { [Symbol.asyncDispose]: () => threads.close() });
const compute = createCompute(threads);
const { signal } = new AbortController();

async function fit(jobId: string, { staged, plan }: ReturnType<typeof study>): Promise<void> {
  const job = { featureSets: plan.featureSets, taskKind: plan.kind };
  const data = await extractInParts(compute, 2, staged, job, signal);
  await fitInThreads(compute, jobId, data, plan);
}

const shape = JSON.parse(process.argv[2]!) as Shape;
// The first fit loads and compiles the code of the threads.
await fit('first', study({ ...shape, trials: 40, samples: 128, channels: Math.min(8, shape.channels) }));
const own = study(shape);
const before = { bytes: process.memoryUsage.rss(), seconds: cpuSeconds() };
await fit('measured', own);
const measured: MeasuredFit = {
  estimate: own.plan.cost,
  bytes: peakBytes() - before.bytes,
  seconds: cpuSeconds() - before.seconds,
};
process.stdout.write(`${JSON.stringify(measured)}\n`);
