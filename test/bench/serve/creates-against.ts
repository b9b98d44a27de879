import { fileURLToPath } from 'node:url';
import { speedSets, type SpeedSet } from '../datasets.ts';
import { median, publish, table } from '../tables.ts';
import { base64 } from './bodies.ts';
import { newCaller } from './callers.ts';
import { startCheckout } from './checkout.ts';
import { simulatedP300 } from './p300.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const descriptions: Readonly<Record<string, string>> = {
  motor: 'imagined movement: left hand or right hand',
  erp: 'P300 speller: target or non-target flashes',
};

/** Creates of each turn that are timed, after one that warms up. */
const timed = 2;

/** How long creates over HTTP take here and in another checkout, in turns of freshly started services. */
export async function createsAgainst(
  other: string,
  { filter = '', turns = 3 }: { readonly filter?: string; readonly turns?: number },
): Promise<void> {
  const [small, , large] = speedSets();
  const sets = [small, large, simulatedP300()].filter(({ name }) => name.includes(filter));
  const seconds = new Map<string, number[]>(
    sets.flatMap(({ name }) => [`${name} before`, `${name} now`].map((key) => [key, []])),
  );
  for (let turn = 0; turn < turns; turn += 1)
    for (const [when, folder] of turn % 2
      ? [
          ['now', root],
          ['before', other],
        ]
      : [
          ['before', other],
          ['now', root],
        ])
      await oneTurn(folder, sets, (name, taken) => seconds.get(`${name} ${when}`)!.push(taken));
  const rows = sets.map(({ name }) => {
    const [before, now] = ['before', 'now'].map((when) => median(seconds.get(`${name} ${when}`)!));
    return [name, before, now, now / before];
  });
  publish(
    filter ? 'creates-against-partial.md' : 'creates-against.md',
    [
      '# Creates over HTTP, beside an earlier commit',
      '',
      `Medians of ${turns * timed} creates: ${timed} of each of ${turns} services that were started in turns on one machine, after one`,
      'create of each recording that is not timed.',
      '',
      table(['recording', 'before s', 'now s', 'now / before'], rows, 2),
    ].join('\n'),
  );
}

async function oneTurn(
  folder: string,
  sets: readonly SpeedSet[],
  onCreate: (name: string, seconds: number) => void,
): Promise<void> {
  const service = await startCheckout(folder);
  const pool = service.records.createPool(service.databaseUrl, { max: 2 });
  try {
    const { key } = await newCaller(service, pool);
    for (const { name, trials, labels, kind } of sets) {
      const body = JSON.stringify({
        description: descriptions[kind],
        x: base64(trials.data),
        shape: [trials.trials, trials.channels, trials.samples],
        labels,
        channels: trials.channelNames,
        units: 'uV',
        sampling_rate_hz: trials.rateHz,
      });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      for (let create = 0; create <= timed; create += 1) {
        const started = performance.now();
        const reply = await fetch(`${service.url}/v1/task-models`, { method: 'POST', headers, body });
        const text = await reply.text();
        if (reply.status !== 201) throw new Error(text);
        if (create > 0) onCreate(name, (performance.now() - started) / 1000);
      }
    }
  } finally {
    await pool.end();
    await service.stop();
  }
}
