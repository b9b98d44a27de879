import * as ort from 'onnxruntime-node';
import { batches, cases, channelCounts, noise } from './cases.ts';
import type { Measured } from './cases.ts';

const rateHz = 256;
const millisecondsEach = 600;

async function timed(work: () => Promise<void>): Promise<number> {
  for (let i = 0; i < 3; i++) await work();
  const times: number[] = [];
  for (const end = performance.now() + millisecondsEach; performance.now() < end || times.length < 5;) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return Math.min(...times);
}

/** `process.ts ENCODER THREADS` prints what it measured, one line of JSON. */
async function measure(encoder: string, threads: number): Promise<Measured> {
  const { weights, graph, prepare, windowSeconds } = cases[encoder]!;
  const held = weights();
  graph(held);
  const started = performance.now();
  const bytes = graph(held);
  const buildMs = performance.now() - started;
  const before = process.memoryUsage().rss;
  const created = performance.now();
  const session = await ort.InferenceSession.create(bytes, { intraOpNumThreads: threads, interOpNumThreads: 1 });
  const sessionMs = performance.now() - created;
  const sessionMemory = process.memoryUsage().rss - before;
  const times: Record<string, { prepare: number; graph: number }> = {};
  for (const channels of channelCounts)
    for (const batch of batches) {
      const samples = windowSeconds * rateHz;
      const data = noise(batch * channels * samples).map((value) => 100 * value);
      const trials = { data, trials: batch, channels, samples, rateHz };
      const inputs = prepare(trials);
      const feeds = Object.fromEntries(
        Object.entries(inputs).map(([name, { dims, data }]) => [name, new ort.Tensor('float32', data, dims)]),
      );
      times[`${channels} × ${batch}`] = {
        prepare: (await timed(async () => void prepare(trials))) / batch,
        graph: (await timed(async () => void (await session.run(feeds)))) / batch,
      };
    }
  const afterRuns = process.memoryUsage().rss - before;
  return { buildMs, bytes: bytes.length, sessionMs, sessionMemory, afterRuns, times };
}

console.log(JSON.stringify(await measure(process.argv[2]!, Number(process.argv[3]))));
