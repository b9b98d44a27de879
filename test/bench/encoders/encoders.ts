import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { publish, table } from '../tables.ts';
import { batches, cases, channelCounts } from './cases.ts';
import type { Measured } from './cases.ts';
import { parity } from './parity.ts';

const program = fileURLToPath(new URL('process.ts', import.meta.url));
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

/** Graphs of pretrained encoders: parity with their references, speed of a window, memory of a session. */
export async function encoders(): Promise<void> {
  const sessions: (string | number)[][] = [];
  const speed: (string | number)[][] = [];
  for (const [encoder, { title, windowSeconds }] of Object.entries(cases)) {
    // A process for each, one after another, so that memory is that of one session.
    const [one, two] = [1, 2].map(
      (threads) =>
        JSON.parse(execFileSync(process.execPath, [program, encoder, String(threads)]).toString()) as Measured,
    ) as [Measured, Measured];
    sessions.push([
      title,
      one.buildMs.toFixed(0),
      mebibytes(one.bytes),
      one.sessionMs.toFixed(0),
      mebibytes(one.sessionMemory),
      mebibytes(one.afterRuns),
    ]);
    for (const channels of channelCounts)
      for (const batch of batches) {
        const key = `${channels} × ${batch}`;
        speed.push([
          `${title} (${windowSeconds} s)`,
          String(channels),
          String(batch),
          one.times[key]!.prepare,
          one.times[key]!.graph,
          two.times[key]!.graph,
        ]);
      }
  }
  const differences = await parity();
  publish(
    'encoders.md',
    [
      '# Pretrained encoders',
      '## Parity with the reference outputs of the published models',
      'Largest absolute difference. "signal" is the whole way from microvolts; for RobustSleepNet the recording as one',
      'trial, its rate changed as in training. LaBraM: braindecode with the same seeded weights.',
      '',
      differences.length > 0
        ? table(['model', 'from', 'reference', 'difference', 'asked for'], differences)
        : 'The published models are not here (`EEG_MODELS`).',
      '',
      '## Graphs and sessions',
      'A graph is built from weights in memory. Memory is resident, on one thread: what the session adds, and what it holds',
      `after runs of up to ${Math.max(...batches)} windows of ${Math.max(...channelCounts)} channels, inputs included.`,
      '',
      table(['graph', 'build ms', 'MiB', 'session ms', 'session MiB', 'after runs MiB'], sessions),
      '',
      '## Milliseconds of one window',
      'From a trial at 256 Hz to the input (in TypeScript, one thread), then through the graph. The least of many runs;',
      'random weights. Other work ran on the two cores meanwhile, from which two threads suffer more than one.',
      '',
      table(['graph', 'channels', 'windows at once', 'input', 'graph, 1 thread', 'graph, 2 threads'], speed),
    ].join('\n'),
  );
}
