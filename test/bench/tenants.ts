import { percentile } from '../support/large-bodies.ts';
import { underAttack, type Served } from '../support/hostile-tenants.ts';
import { median, publish, table } from './tables.ts';

/**
 * How long a fourth account waits while three test accounts send whatever costs the service most, as `npm start` in a
 * control group of 4 GiB. Bars: a small create within 15 s, 99 of 100 predictions within 200 ms, no process ended,
 * memory back within 30 s after its last work.
 */
export async function tenants({ seconds = 300 }: { readonly seconds?: number }): Promise<void> {
  const seen = await underAttack(seconds, { pinned: true });
  if (typeof seen === 'string') throw new Error(seen);
  const { idle, attacked, resident, remaining, killed, answers } = seen;
  const figures = ({ creates, predictions }: Served): number[] => [
    creates.length,
    median(creates),
    Math.max(...creates),
    predictions.length,
    ...[50, 99, 100].map((p) => percentile(predictions, p)),
  ];
  const [alone, beside] = [figures(idle), figures(attacked)];
  const head = ['', 'creates', 'median s', 'longest s', 'predictions', 'p50 ms', 'p99 ms', 'longest ms'];
  const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  publish(
    'tenants.md',
    [
      '# One account beside three hostile ones',
      '',
      `\`npm start\` in a control group of 4 GiB; for ${seconds} s three test accounts send batches of 4,096 trials and fits, eight heavy`,
      'creates at a time, estimates and predictions of 4,096 windows each. A fourth makes small creates and predictions. All clients',
      'run on one core.',
      '',
      table(
        head,
        [
          ['idle', ...alone],
          ['attacked', ...beside],
          ['ratio', ...beside.map((each, at) => each / alone[at]!)],
        ],
        2,
      ),
      '',
      `Processes ended for want of memory: ${killed}. Resident memory: ${mebibytes(resident.before)} before, ${mebibytes(resident.most)} at most, ${mebibytes(resident.after)} within 30 s after its last work.`,
      `The last request or job that was accepted ended ${remaining.toFixed(0)} s after the attack.`,
      `Answers to the hostile accounts by status: ${Object.entries(answers)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}.`,
    ].join('\n'),
  );
}
