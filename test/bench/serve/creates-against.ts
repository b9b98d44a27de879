import { fileURLToPath } from 'node:url';
import { speedSets, type SpeedSet } from '../datasets.ts';
import { median, publish, table } from '../tables.ts';
import { newCaller } from './callers.ts';
import { startCheckout } from './checkout.ts';
import { createBodyOf } from './create-body.ts';
import { simulatedP300 } from './p300.ts';
import { processorOf } from './processor.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Creates of each turn that are timed, after one that warms up. */
const timed = 2;

/** How long creates over HTTP take here and in another checkout, in turns of freshly started services. */
export async function createsAgainst(
  other: string,
  { filter = '', turns = 3 }: { readonly filter?: string; readonly turns?: number },
): Promise<void> {
  const [small, , large] = speedSets();
  const sets = [small, large, simulatedP300()].filter(({ name }) => name.includes(filter));
  const taken = new Map<string, Taken[]>();
  for (let turn = 0; turn < turns; turn += 1)
    for (const when of turn % 2 ? (['now', 'before'] as const) : (['before', 'now'] as const))
      await oneTurn(when === 'now' ? root : other, sets, (name, create) => {
        const key = `${name} ${when}`;
        taken.set(key, [...(taken.get(key) ?? []), create]);
        console.log(key, create.seconds.toFixed(2), create.cpuSeconds.toFixed(2));
      });
  const middle = (key: string, of: keyof Taken): number => median(taken.get(key)!.map((create) => create[of]));
  const rows = sets.map(({ name }) => [
    name,
    ...(['seconds', 'cpuSeconds'] as const).flatMap((of) => {
      const [before, now] = [middle(`${name} before`, of), middle(`${name} now`, of)];
      return [before, now, now / before];
    }),
  ]);
  publish(
    filter ? 'creates-against-partial.md' : 'creates-against.md',
    [
      '# Creates over HTTP, beside an earlier commit',
      '',
      `Medians of ${turns * timed} creates: ${timed} of each of ${turns} services that were started in turns on one machine, after one`,
      'create of each recording that is not timed. CPU: API and worker with its servers’ process. Other programs on the',
      'machine change wall seconds, and CPU seconds less.',
      '',
      table(['recording', 'before s', 'now s', 'now / before', 'before CPU s', 'now CPU s', 'now / before'], rows, 2),
    ].join('\n'),
  );
}

interface Taken {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function oneTurn(
  folder: string,
  sets: readonly SpeedSet[],
  onCreate: (name: string, create: Taken) => void,
): Promise<void> {
  const service = await startCheckout(folder);
  const pool = service.records.createPool(service.databaseUrl, { max: 2 });
  const processor = (): number =>
    [service.pid, service.workerPid].reduce((sum, pid) => sum + processorOf(pid).main + processorOf(pid).others, 0);
  try {
    const { key } = await newCaller(service, pool);
    for (const set of sets) {
      const body = createBodyOf(set);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      for (let create = 0; create <= timed; create += 1) {
        const [started, before] = [performance.now(), processor()];
        const reply = await fetch(`${service.url}/v1/task-models`, { method: 'POST', headers, body });
        const text = await reply.text();
        if (reply.status !== 201) throw new Error(text);
        if (create > 0)
          onCreate(set.name, {
            seconds: (performance.now() - started) / 1000,
            cpuSeconds: (processor() - before) / 1000,
          });
      }
    }
  } finally {
    await pool.end();
    await service.stop();
  }
}
