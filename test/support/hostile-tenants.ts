import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNoise } from '../../infra/demo/noise.ts';
import { createPool, transaction } from '../../infra/drivers/postgres/index.ts';
import { createAccount, createKey } from '../../infra/records/accounts/index.ts';
import { credit } from '../../infra/records/ledger/index.ts';
import { createMemoryGroup } from './memory-group.ts';
import { newDataDir, runMain } from './stack.ts';

export const memoryLimit = 4 * 1024 ** 3;

/** What the service did for its fourth account, and what it took for it. */
export interface Hostility {
  readonly idle: Served;
  readonly attacked: Served;
  /** Bytes of all processes of the service: before, the most, and 30 s after the attack. */
  readonly resident: { readonly before: number; readonly most: number; readonly after: number };
  /** Processes that the kernel ended. */
  readonly killed: number;
  /** Answers of each status to the hostile accounts. */
  readonly answers: Readonly<Record<string, number>>;
}

export interface Served {
  /** Seconds of each small create. */
  readonly creates: readonly number[];
  /** Milliseconds of each small prediction. */
  readonly predictions: readonly number[];
}

const electrodes = (
  'C3 Cz C4 FC5 FC3 FC1 FCz FC2 FC4 FC6 C5 C1 C2 C6 CP5 CP3 CP1 CPz CP2 CP4 CP6 Fp1 Fpz Fp2 AF7 AF3 AFz AF4 AF8 F7 F5 ' +
  'F3 F1 Fz F2 F4 F6 F8 FT7 FT8 T7 T8 T9 T10 TP7 TP8 P7 P5 P3 P1 Pz P2 P4 P6 P8 PO7 PO3 POz PO4'
).split(' ');
const description = 'imagined movement: left hand or right hand';
const path = '/v1/task-models';

function bodyOf(trials: number, channels: number, samples: number, extra: object = {}): string {
  const noise = createNoise(trials);
  const x = Float32Array.from({ length: trials * channels * samples }, (_, at) => {
    const row = Math.floor(at / samples);
    return 10 * noise.gauss() * (row % channels === Math.floor(row / channels) % 2 ? 1.5 : 1);
  });
  return JSON.stringify({
    x: Buffer.from(x.buffer).toString('base64'),
    shape: [trials, channels, samples],
    units: 'uV',
    sampling_rate_hz: 256,
    channels: electrodes.slice(0, channels),
    ...extra,
  });
}
const labelsOf = (trials: number): { labels: string[] } => ({
  labels: Array.from({ length: trials }, (_, trial) => (trial % 2 ? 'left hand' : 'right hand')),
});

/** The largest batch: 4,096 trials of 16 channels. */
const largest = [4_096, 16, 60] as const;
const heavy = [240, 59, 256] as const;

/**
 * `npm start` in a control group of 4 GiB, while three test accounts send for `seconds` what costs the service most:
 * thirty batches of the largest size and their fit, eight heavy creates at a time, forty estimates and the largest
 * predictions. A fourth account makes small creates and predictions meanwhile. A sentence where control groups are not
 * to be had.
 */
export async function underAttack(seconds: number): Promise<Hostility | string> {
  const group = createMemoryGroup(memoryLimit);
  if (typeof group === 'string') return group;
  await using parts = new AsyncDisposableStack();
  parts.defer(() => group.remove());
  const data = await newDataDir();
  parts.defer(() => data.remove());
  const stack = runMain('start', [], { DATA_DIR: data.path, WARM_UP: 'on' }, undefined, group.members);
  parts.defer(async () => void (await stack.interrupt()));
  await stack.says(/Ready in/, 300);
  const [, url] = await stack.says(/API\s+(http:\/\/[\w.:]+)/);
  while ((await fetch(`${url}/readyz`)).status === 503) await sleep(200);
  const { databaseUrl } = JSON.parse(await readFile(join(data.path, 'stack.json'), 'utf8')) as { databaseUrl: string };
  const pool = createPool(databaseUrl, { max: 2 });
  parts.defer(() => pool.end());

  const newKey = async (mode: 'live' | 'test'): Promise<string> => {
    const at = new Date();
    const email = `${crypto.randomUUID()}@example.org`;
    const { id: accountId } = await transaction(pool, (sql) =>
      createAccount(sql, { email, passwordHash: 'none', acceptTerms: true, at }),
    );
    if (mode === 'live')
      await transaction(pool, (sql) => credit(sql, { accountId, amount: 10_000_000_000n, source: 'operator', at }));
    return (await createKey(pool, { accountId, mode, at })).key;
  };
  const send = async (key: string, to: string, body: string | null, signal?: AbortSignal) => {
    const response = await fetch(url + to, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(body === null ? {} : { 'content-type': 'application/json' }) },
      body,
      signal: signal ?? null,
    });
    return { status: response.status, id: ((await response.json()) as { id?: string }).id };
  };

  const fourth = await newKey('live');
  const small = bodyOf(40, 3, 256, { description, ...labelsOf(40) });
  const one = bodyOf(1, 3, 256);
  const created = await send(fourth, path, small);
  if (created.status !== 201) throw new Error(`The fourth account's model was answered ${created.status}.`);
  const serve = async (during: AbortSignal): Promise<Served> => {
    const served = { creates: [] as number[], predictions: [] as number[] };
    const creating = async (): Promise<void> => {
      while (!during.aborted) {
        const began = performance.now();
        const { status } = await send(fourth, path, small);
        if (status !== 201) throw new Error(`A small create was answered ${status}.`);
        served.creates.push((performance.now() - began) / 1000);
        await sleep(2_000, undefined, { signal: during }).catch(() => undefined);
      }
    };
    const predicting = async (): Promise<void> => {
      while (!during.aborted) {
        const began = performance.now();
        const { status } = await send(fourth, `${path}/${created.id}/predictions`, one);
        if (status !== 200) throw new Error(`A small prediction was answered ${status}.`);
        served.predictions.push(performance.now() - began);
        await sleep(200, undefined, { signal: during }).catch(() => undefined);
      }
    };
    await Promise.all([creating(), predicting()]);
    return served;
  };

  const idle = await serve(AbortSignal.timeout(10_000));
  const before = group.resident();
  let most = before;
  const watching = setInterval(() => (most = Math.max(most, group.resident())), 200);
  parts.defer(() => clearInterval(watching));

  const answers: Record<string, number> = {};
  const ending = AbortSignal.timeout(seconds * 1000);
  const bodies = {
    deferred: bodyOf(...largest, { description, defer_fit: true, ...labelsOf(largest[0]) }),
    batch: bodyOf(...largest, labelsOf(largest[0])),
    heavy: bodyOf(...heavy, { description, ...labelsOf(heavy[0]) }),
    prediction: bodyOf(largest[0], 3, 256),
  };
  const hostile = async (): Promise<void> => {
    const key = await newKey('test');
    const attack = async (to: string, body: string | null): Promise<{ status: number; id?: string | undefined }> => {
      const reply = await send(key, to, body, ending);
      answers[reply.status] = (answers[reply.status] ?? 0) + 1;
      if (reply.status === 429 || reply.status === 503) await sleep(500, undefined, { signal: ending });
      return reply;
    };
    const forEver = async (work: (turn: number) => Promise<unknown>): Promise<void> => {
      for (let turn = 0; !ending.aborted; turn += 1)
        await work(turn).catch((error: unknown) => {
          if (!ending.aborted) throw error;
        });
    };
    const batches = async (): Promise<void> => {
      const { id } = await attack(path, bodies.deferred);
      if (id === undefined) return;
      for (let sent = 1; sent < 30;) if ((await attack(`${path}/${id}/trials`, bodies.batch)).status === 200) sent += 1;
      await attack(`${path}/${id}/fit`, null);
    };
    const estimate = (turn: number): Promise<unknown> =>
      attack(
        path,
        JSON.stringify({
          mode: 'zero_shot',
          dry_run: true,
          description,
          classes: ['left hand', 'right hand'],
          channels: electrodes.slice(0, 3 + (turn % 40)),
          sampling_rate_hz: 256,
          trial_seconds: 1 + (turn % 4),
        }),
      );
    const model = (await attack(path, small)).id;
    await Promise.all([
      forEver(batches),
      forEver(() => Promise.all(Array.from({ length: 8 }, () => attack(path, bodies.heavy)))),
      forEver(async (turn) => (turn < 40 ? estimate(turn) : sleep(1_000, undefined, { signal: ending }))),
      forEver(() => attack(`${path}/${model}/predictions`, bodies.prediction)),
    ]);
  };
  const [attacked] = await Promise.all([serve(ending), hostile(), hostile(), hostile()]);
  let after = group.resident();
  for (const until = performance.now() + 30_000; performance.now() < until; await sleep(1_000))
    after = Math.min(after, group.resident());
  const failed = stack.child.exitCode ?? stack.child.signalCode;
  if (failed !== null) throw new Error(`The service ended (${failed}):\n${stack.output().slice(-4_000)}`);
  return { idle, attacked, resident: { before, most, after }, killed: group.killed(), answers };
}
