import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { electrodes, labelsOf, noiseBody } from './noise-body.ts';

/** Input of the thread of hostile clients: keys of test accounts, and the duration. */
export interface Attack {
  readonly url: string;
  readonly keys: readonly string[];
  readonly seconds: number;
}

export const path = '/v1/task-models';
export const description = 'imagined movement: left hand or right hand';

/** Sends a request, and reads its answer. */
export async function post(
  url: string,
  key: string,
  to: string,
  body: string | Buffer | null,
  signal: AbortSignal | null = null,
): Promise<{ readonly status: number; readonly id: string | undefined }> {
  const response = await fetch(url + to, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    body: body as BodyInit | null,
    signal,
  });
  return { status: response.status, id: ((await response.json()) as { id?: string }).id };
}

/** The largest batch: 4,096 trials of 16 channels. */
const largest = [4_096, 16, 60] as const;
const heavy = [240, 59, 256] as const;
const batchesOfStudy = 30;

/**
 * Each account sends until the end, at once: thirty of the largest batches and their fit, again and again; eight heavy
 * creates; forty estimates of different shapes; the largest predictions. Returns the answers by status.
 */
async function sendAll({ url, keys, seconds }: Attack): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  const ending = AbortSignal.timeout(seconds * 1000);
  const bytesOf = (...of: Parameters<typeof noiseBody>): Buffer => Buffer.from(noiseBody(...of));
  const bodies = {
    small: bytesOf(40, 3, 256, { description, labels: labelsOf(40) }),
    deferred: bytesOf(...largest, { description, defer_fit: true, labels: labelsOf(largest[0]) }),
    batch: bytesOf(...largest, { labels: labelsOf(largest[0]) }),
    heavy: bytesOf(...heavy, { description, labels: labelsOf(heavy[0]) }),
    prediction: bytesOf(largest[0], 3, 256),
  };
  const account = async (key: string): Promise<void> => {
    const send = async (to: string, body: string | Buffer | null): ReturnType<typeof post> => {
      const reply = await post(url, key, to, body, ending);
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
    const study = async (): Promise<void> => {
      const { id } = await send(path, bodies.deferred);
      if (id === undefined) return;
      for (let sent = 1; sent < batchesOfStudy;)
        if ((await send(`${path}/${id}/trials`, bodies.batch)).status === 200) sent += 1;
      await send(`${path}/${id}/fit`, null);
    };
    const estimate = (turn: number): Promise<unknown> =>
      send(
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
    const model = (await send(path, bodies.small)).id;
    await Promise.all([
      forEver(study),
      forEver(() => Promise.all(Array.from({ length: 8 }, () => send(path, bodies.heavy)))),
      forEver(async (turn) => (turn < 40 ? estimate(turn) : sleep(1_000, undefined, { signal: ending }))),
      forEver(() => send(`${path}/${model}/predictions`, bodies.prediction)),
    ]);
  };
  await Promise.all(keys.map(account));
  return answers;
}

if (!isMainThread && (workerData as Attack | null)?.keys) {
  parentPort!.postMessage(await sendAll(workerData as Attack), []);
}
