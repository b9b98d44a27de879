import { percentile } from '../../support/large-bodies.ts';
import { median } from '../tables.ts';
import { get, post, predictions, type Caller } from './callers.ts';
import type { Checkout } from './checkout.ts';
import type { LoadProcess } from './load.ts';
import type { HttpRequest, Job } from './messages.ts';
import { postgresProcessor, processorOf } from './processor.ts';

/** What is measured at one number of connections, in turns with the others. */
export interface Subject {
  readonly name: string;
  /** What is asked of it, but for connections and time. */
  readonly ask: { readonly kind: 'http'; readonly port: number; readonly requests: readonly HttpRequest[] } | Loop;
  /** Process that answers. */
  readonly pid: number | null;
  readonly postmaster: number | null;
}

interface Loop {
  readonly kind: 'postgres';
  readonly url: string;
  readonly rows: number;
}

/** One turn of one subject. Milliseconds; `main`, `threads`, `postgres` and `client` are processor time a request. */
export interface Turn {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
  readonly main: number;
  readonly threads: number;
  readonly postgres: number;
  readonly client: number;
}

export const predicting = (
  name: string,
  { port, pid, postmaster }: Checkout,
  callers: readonly Caller[],
  body: Buffer,
) => ({ name, pid, postmaster, ask: { kind: 'http', port, requests: predictions(callers, body) } }) satisfies Subject;

export const healthz = ({ port, pid }: Checkout) =>
  ({
    name: '/healthz',
    pid,
    postmaster: null,
    ask: { kind: 'http', port, requests: [get('/healthz')] },
  }) satisfies Subject;

export const echoing = (echo: { port: number; pid: number }, body: Buffer) =>
  ({
    name: 'echo',
    pid: echo.pid,
    postmaster: null,
    ask: { kind: 'http', port: echo.port, requests: [post('/echo', body)] },
  }) satisfies Subject;

/** One turn: the load for `milliseconds`, and what it took of the processors. */
export async function takeTurn(load: LoadProcess, subject: Subject, connections: number, milliseconds: number) {
  const { pid, postmaster, ask } = subject;
  const processor = () => ({
    api: pid === null ? { main: 0, others: 0 } : processorOf(pid),
    postgres: postmaster === null ? 0 : postgresProcessor(postmaster),
  });
  const before = processor();
  const { times, seconds, clientMs } = await load.run({ ...ask, connections, milliseconds } as Job);
  const after = processor();
  const all = [...times];
  return {
    p50: percentile(all, 50),
    p95: percentile(all, 95),
    p99: percentile(all, 99),
    perSecond: all.length / seconds,
    main: (after.api.main - before.api.main) / all.length,
    threads: (after.api.others - before.api.others) / all.length,
    postgres: (after.postgres - before.postgres) / all.length,
    client: clientMs / all.length,
  } satisfies Turn;
}

/** Turns of all subjects, one after the other, again and again: by name. */
export async function inTurns(
  load: LoadProcess,
  subjects: readonly Subject[],
  { connections, turns, milliseconds }: { connections: number; turns: number; milliseconds: number },
): Promise<Map<string, Turn[]>> {
  const taken = new Map<string, Turn[]>(subjects.map(({ name }) => [name, []]));
  for (let turn = 0; turn < turns; turn++)
    for (const subject of subjects)
      taken.get(subject.name)!.push(await takeTurn(load, subject, connections, milliseconds));
  return taken;
}

/** The median of each number over the turns. */
export const middle = (turns: readonly Turn[]): Turn =>
  Object.fromEntries(
    Object.keys(turns[0]).map((name) => [name, median(turns.map((turn) => turn[name as keyof Turn]))]),
  ) as unknown as Turn;

/** The median over the turns of one subject's number beside another's of the same turn. */
export const beside = (
  one: readonly Turn[],
  other: readonly Turn[],
  compare: (one: Turn, other: Turn) => number,
): number => median(one.map((turn, at) => compare(turn, other[at])));

/** Processor time that who answers takes for a request. */
export const cpuOf = ({ main, threads, postgres }: Turn): number => main + threads + postgres;
