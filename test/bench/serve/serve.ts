import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { publish, table } from '../tables.ts';
import { makeBodies } from './bodies.ts';
import { makeCallers } from './callers.ts';
import { beside, cpuOf, echoing, healthz, inTurns, middle, predicting, type Turn } from './cells.ts';
import { startCheckout } from './checkout.ts';
import { createsAgainst } from './creates-against.ts';
import { creates } from './creates.ts';
import { startEcho } from './echo.ts';
import { startLoadProcess } from './load.ts';
import { createsAMinute, hosted, largestBodies, memory } from './more.ts';
import { residentMebibytes } from './processor.ts';
import { simpleUpdate } from './simple-update.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface ServeOptions {
  /** Another checkout of the service, whose predictions take turns with this one's. */
  readonly against?: string;
  readonly turns?: number;
  /** Seconds of each turn. */
  readonly seconds?: number;
  /** Also creates a minute, the largest bodies, memory, and many models in the database. */
  readonly more?: boolean;
  /** Instead: creates of a fresh worker beside the same in process and the Python peers, or `against` a checkout. */
  readonly creates?: boolean;
  /** Of creates: part of the name of a recording. */
  readonly filter?: string;
}

const connectionCounts = [1, 8, 32];
const accountCounts = [1, 10, 100];
const before = 'predictions, before';
const accounts = (count: number): string => `predictions, ${count} ${count === 1 ? 'account' : 'accounts'}`;

/** Predictions over HTTP beside a Fastify echo of the same body and a simple update on the same Postgres, in turns. */
export async function serve(options: ServeOptions): Promise<void> {
  if (options.creates)
    return options.against === undefined ? creates(root, options) : createsAgainst(options.against, options);
  const { against, turns = 2, seconds = 1 } = options;
  await using parts = new AsyncDisposableStack();
  const keep = async <T extends { stop(): Promise<void> }>(starting: T | Promise<T>): Promise<T> => {
    const part = await starting;
    parts.defer(() => part.stop());
    return part;
  };
  const bodies = makeBodies();
  const load = await keep(startLoadProcess());
  const echo = await keep(startEcho());
  const service = await keep(startCheckout(root));
  const atRest = residentMebibytes(service.pid);
  const callers = await makeCallers(service, bodies.create, Math.max(...accountCounts));
  const other = against === undefined ? null : await keep(startCheckout(against));
  const subjects = [
    echoing(echo, bodies.predict),
    healthz(service),
    ...accountCounts.map((count) => predicting(accounts(count), service, callers.slice(0, count), bodies.predict)),
    ...(other ? [predicting(before, other, await makeCallers(other, bodies.create, 1), bodies.predict)] : []),
    await simpleUpdate(service),
  ];
  await inTurns(load, subjects, { connections: 8, turns: 1, milliseconds: 1_500 });
  const sections: string[] = [];
  for (const connections of connectionCounts)
    sections.push(
      section(connections, await inTurns(load, subjects, { connections, turns, milliseconds: seconds * 1_000 })),
    );
  const begin = introduction(bodies.predict.length, bodies.from, turns, seconds);
  sections.push(
    `The API process: ${atRest.toFixed(0)} MiB resident at rest, ${residentMebibytes(service.pid).toFixed(0)} MiB after these.`,
  );
  publish('serve.md', [begin, ...sections].join('\n\n'));
  if (!options.more) return;
  for (const part of [memory, createsAMinute, largestBodies, hosted]) {
    sections.push(await part({ service, callers, load, bodies }));
    publish('serve.md', [begin, ...sections].join('\n\n'));
  }
}

const introduction = (bytes: number, from: string, turns: number, seconds: number): string =>
  [
    '# Predictions over HTTP',
    '',
    `One trial of 22 channels and 4 s at 256 Hz, ${from}, base64 float32 in a JSON body of ${Math.round(bytes / 1000)} KB, to an API process`,
    'of its own on the embedded Postgres. Beside it, in turns: a Fastify echo of the same body (reads the JSON and sends it back), ',
    "`GET /healthz`, and pgbench's simple update on the same Postgres (UPDATE, SELECT and INSERT in a transaction, prepared).",
    `${turns} ${turns === 1 ? 'turn' : 'turns'} of ${seconds} s each; medians over the turns. ${cpus().length} cores (${cpus()[0].model}) with everything on them,`,
    `load average ${loadavg()[0].toFixed(1)} at the end. CPU is processor time per request: of the API's main thread, its other threads, Postgres, and the client.`,
  ].join('\n');

function section(connections: number, taken: ReadonlyMap<string, Turn[]>): string {
  const echo = taken.get('echo')!;
  const then = taken.get(before);
  const ratio = (turns: readonly Turn[]) => [
    beside(turns, echo, (one, two) => one.p50 - two.p50),
    beside(turns, echo, (one, two) => one.perSecond / two.perSecond),
    then ? beside(turns, then, (one, two) => one.perSecond / two.perSecond) : undefined,
    then ? beside(turns, then, (one, two) => cpuOf(two) / cpuOf(one)) : undefined,
  ];
  const compared = [...taken].filter(([name]) => name.startsWith('predictions'));
  return [
    `## ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    '',
    table(
      ['', 'median beyond the echo, ms', "of the echo's throughput", 'times the throughput before', 'CPU before / now'],
      compared.map(([name, turns]) => [name, ...ratio(turns)]),
      2,
    ),
    '',
    table(
      ['', 'p50 ms', 'p95 ms', 'p99 ms', 'per second', 'CPU main', 'CPU threads', 'CPU Postgres', 'CPU client'],
      [...taken].map(([name, turns]) => {
        const { p50, p95, p99, perSecond, main, threads, postgres, client } = middle(turns);
        return [name, p50, p95, p99, perSecond.toFixed(0), main, threads, postgres, client];
      }),
      2,
    ),
  ].join('\n');
}
