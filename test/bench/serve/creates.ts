import { createOnThreads } from '../create.ts';
import { speedSets, type SpeedSet } from '../datasets.ts';
import { foldsOf, pipelines } from '../folds.ts';
import { crossValidatePeers } from '../python.ts';
import { mean, median, publish, table } from '../tables.ts';
import { newCaller } from './callers.ts';
import { startCheckout } from './checkout.ts';
import { createBodyOf } from './create-body.ts';
import { simulatedP300 } from './p300.ts';
import { processorOf } from './processor.ts';

/** Fresh workers, the creates of each, one after the other, and creates in process that warm up and that are timed. */
const [freshWorkers, overHttp, warmUps, timed] = [3, 5, 3, 5];
const cores = 2;

interface Measured {
  readonly name: string;
  /** Seconds over HTTP of a fresh worker's creates, in order: of each the median over the workers. */
  readonly seconds: readonly number[];
  readonly cpuSeconds: readonly number[];
  readonly inProcess: number;
  readonly peers: { readonly shared: number; readonly separate: number };
}

/** Creates over HTTP, those of a fresh worker first, beside the same in process and beside the Python peers. */
export async function creates(folder: string, { filter = '' }: { readonly filter?: string }): Promise<void> {
  const [small, , large] = speedSets();
  const sets = [small, large, simulatedP300()].filter(({ name }) => name.includes(filter));
  const measured: Measured[] = [];
  for (const set of sets) {
    measured.push(await measure(folder, set));
    publish(filter ? 'creates-partial.md' : 'creates.md', render(measured));
  }
}

async function measure(folder: string, set: SpeedSet): Promise<Measured> {
  const runs: Awaited<ReturnType<typeof asFreshWorker>>[] = [];
  for (let worker = 0; worker < freshWorkers; worker++) runs.push(await asFreshWorker(folder, set));
  const middle = (of: 'seconds' | 'cpuSeconds'): number[] =>
    Array.from({ length: overHttp }, (_, create) => median(runs.map((run) => run[of][create])));
  return {
    name: set.name,
    seconds: middle('seconds'),
    cpuSeconds: middle('cpuSeconds'),
    inProcess: await inProcess(set),
    peers: peers(set),
  };
}

async function asFreshWorker(folder: string, set: SpeedSet) {
  const service = await startCheckout(folder);
  const pool = service.records.createPool(service.databaseUrl, { max: 2 });
  const seconds: number[] = [];
  const cpuSeconds: number[] = [];
  const processor = (): number =>
    [service.pid, service.workerPid].reduce((sum, pid) => sum + processorOf(pid).main + processorOf(pid).others, 0);
  try {
    const { key } = await newCaller(service, pool);
    const body = createBodyOf(set);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (let create = 0; create < overHttp; create++) {
      const [started, before] = [performance.now(), processor()];
      const reply = await fetch(`${service.url}/v1/task-models`, { method: 'POST', headers, body });
      const text = await reply.text();
      if (reply.status !== 201) throw new Error(text);
      seconds.push((performance.now() - started) / 1000);
      cpuSeconds.push((processor() - before) / 1000);
    }
  } finally {
    await pool.end();
    await service.stop();
  }
  return { seconds, cpuSeconds };
}

async function inProcess({ trials, labels, kind }: SpeedSet): Promise<number> {
  const ours = createOnThreads(cores);
  const seconds: number[] = [];
  for (let run = 0; run < warmUps + timed; run++) seconds.push((await ours.create(trials, labels, { kind })).seconds);
  await ours.close();
  return median(seconds.slice(warmUps));
}

function peers({ trials, labels, kind }: SpeedSet): Measured['peers'] {
  const { wholeSeconds, separateSeconds } = crossValidatePeers({
    x: trials.data,
    trials: trials.trials,
    channels: trials.channels,
    samples: trials.samples,
    labels,
    kind,
    jobs: cores,
    folds: foldsOf(trials, labels, kind),
    pipelines: pipelines[kind as keyof typeof pipelines],
  });
  return { shared: wholeSeconds, separate: separateSeconds };
}

function render(measured: readonly Measured[]): string {
  const times = ({ peers: { separate }, seconds }: Measured): number => separate / seconds[0];
  return [
    '# Creates over HTTP',
    '',
    `Servers, worker and API are started for each recording, and their threads warm: the first create is the first of a fresh worker. Each`,
    `create over HTTP is the median of ${freshWorkers} such starts, since one alone differs by a fifth from the next. In process: the`,
    `worker's own threads, with its heaps, median of ${timed} after ${warmUps} that warm them up. Peers: six pipelines (${cores} processes), cross-validated on the same folds,`,
    'the best fitted again on all trials; imports and process start are not counted. CPU: API and worker with its servers’ process.',
    '',
    table(
      [
        'recording',
        'first s',
        'fifth s',
        'first / fifth',
        'in process s',
        '(fifth − 0.15) / in process',
        'CPU s, first',
        'CPU s, fifth',
      ],
      measured.map((one) => {
        const [first, fifth] = [one.seconds[0], one.seconds.at(-1)!];
        const whole = (fifth - 0.15) / one.inProcess;
        return [one.name, first, fifth, first / fifth, one.inProcess, whole, one.cpuSeconds[0], one.cpuSeconds.at(-1)];
      }),
      2,
    ),
    '',
    table(
      [
        'recording',
        'peers, each by itself s',
        'peers / first',
        'peers, filters and covariances shared s',
        'peers / first',
      ],
      measured.map((one) => [
        one.name,
        one.peers.separate,
        times(one),
        one.peers.shared,
        one.peers.shared / one.seconds[0],
      ]),
      2,
    ),
    '',
    `Geometric mean of the peers, each by itself, over the first create: ${Math.exp(mean(measured.map((one) => Math.log(times(one))))).toFixed(1)}.`,
  ].join('\n');
}
