import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { labelsOf, noiseBody } from '../support/noise-body.ts';
import { newCaller } from './serve/callers.ts';
import { startCheckout } from './serve/checkout.ts';
import { median, publish, table } from './tables.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Small creates that are timed, alone and beside the heavy ones, and heavy ones at once. */
const [alone, beside, heavyAtOnce] = [6, 4, 8];
/** Heavy creates have begun to compute after this time. */
const underWayMs = 3_000;

const description = 'imagined movement: left hand or right hand';
const bodyOf = (trials: number, channels: number, samples: number): string =>
  noiseBody(trials, channels, samples, { description, labels: labelsOf(trials) });

/**
 * How long a small create of one account takes alone, and while another account has eight heavy creates under way. The
 * clients have one core.
 */
export async function fair({ against }: { readonly against?: string }): Promise<void> {
  const rows: (string | number)[][] = [];
  if (against !== undefined) rows.push(await measure('before', against));
  rows.push(await measure('now', root));
  const head = ['', 'alone, median s', 'beside, median s', 'beside, longest s', 'median beside / alone', 'heavy done'];
  publish(
    'fair.md',
    [
      '# A small create beside eight heavy ones of another account',
      '',
      `Creates over HTTP: 40 trials × 3 channels × 1 s of one account, ${alone} alone and ${beside} while a test key of another`,
      `account has ${heavyAtOnce} creates of 240 trials × 59 channels × 1 s under way. All clients run on one core.`,
      '',
      table(head, rows, 2),
    ].join('\n'),
  );
}

async function measure(name: string, folder: string): Promise<(string | number)[]> {
  const service = await startCheckout(folder);
  const pool = service.records.createPool(service.databaseUrl, { max: 2 });
  const ending = new AbortController();
  try {
    execFileSync('taskset', ['-a', '-c', '-p', '0', String(process.pid)]);
    const small = await newCaller(service, pool);
    const { accountId } = await newCaller(service, pool);
    const { key } = await service.records.createKey(pool, { accountId, mode: 'test', at: new Date() });
    const [smallBody, heavyBody] = [bodyOf(40, 3, 256), bodyOf(240, 59, 256)];
    const create = async (body: string, owner: string, signal?: AbortSignal): Promise<number> => {
      const began = performance.now();
      const reply = await fetch(`${service.url}/v1/task-models`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
        body,
        signal: signal ?? null,
      });
      const text = await reply.text();
      if (reply.status !== 201) throw new Error(text);
      return (performance.now() - began) / 1000;
    };
    const times = async (count: number): Promise<number[]> => {
      const seconds: number[] = [];
      for (let at = 0; at < count; at += 1) seconds.push(await create(smallBody, small.key));
      return seconds;
    };
    await times(2);
    const before = await times(alone);
    let done = 0;
    const keepCreating = async (): Promise<void> => {
      while (!ending.signal.aborted) {
        await create(heavyBody, key, ending.signal);
        done += 1;
      }
    };
    const heavy = Promise.allSettled(Array.from({ length: heavyAtOnce }, keepCreating));
    await sleep(underWayMs);
    const during = await times(beside);
    ending.abort();
    for (const each of await heavy)
      if (each.status === 'rejected' && each.reason?.name !== 'AbortError') throw each.reason;
    const [one, two] = [median(before), median(during)];
    return [name, one, two, Math.max(...during), two / one, done];
  } finally {
    await pool.end();
    await service.stop();
  }
}
