import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoTrials } from '../../recordings/trials.ts';
import type { CandidateState, Model, Predictions, Usage } from './response-types.ts';

/** An error response of the API. */
class RequestRefused extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, body: { code?: string; message?: string; details?: Record<string, unknown> }) {
    super(`The API answered ${status} ${body.code ?? ''}: ${body.message ?? 'no message'}`);
    this.name = 'RequestRefused';
    this.code = body.code ?? '';
    this.details = body.details ?? {};
  }
}

const pollMs = 700;
const waits: ReadonlySet<string> = new Set(['CONFLICT', 'POOL_UNAVAILABLE', 'RATE_LIMITED', 'CONCURRENCY_LIMITED']);

/** A small client of the public HTTP API: what any caller would write. */
export function createDemoClient(apiUrl: string, key: string) {
  const send = async <T>(method: string, path: string, body?: string, idempotencyKey?: string): Promise<T> => {
    const response = await fetch(apiUrl + path, {
      method,
      body,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new RequestRefused(response.status, answer as object);
    return answer as T;
  };

  return {
    /** Sends the create. While it runs, repeats it with the same key: the answer is 409 with the progress so far. */
    async create(
      trials: DemoTrials,
      description: string,
      onProgress: (candidates: readonly CandidateState[]) => void,
    ): Promise<Model> {
      const body = JSON.stringify({
        ...signalFields(trials),
        labels: trials.labels,
        sessions: trials.sessions,
        description,
        name: 'demo',
      });
      const idempotencyKey = randomUUID();
      const finished = new AbortController();
      const creating = (async () => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await send<Model>('POST', '/v1/task-models', body, idempotencyKey);
          } catch (error) {
            // Send the same key again: the job continues, and its answer is stored (also after a lost connection).
            const again = error instanceof RequestRefused ? waits.has(error.code) : attempt < 5;
            if (!again) throw error;
            await sleep(pollMs);
          }
        }
      })().finally(() => finished.abort());
      const watching = (async () => {
        while (!finished.signal.aborted) {
          await sleep(pollMs, undefined, { signal: finished.signal }).catch(() => undefined);
          if (finished.signal.aborted) return;
          await send('POST', '/v1/task-models', body, idempotencyKey).catch((error: unknown) => {
            if (error instanceof RequestRefused && error.details['progress'])
              onProgress(candidatesOf(error.details['progress']));
          });
        }
      })();
      const [model] = await Promise.all([creating, watching]);
      return model;
    },
    predict: (id: string, trials: DemoTrials) =>
      send<Predictions>(
        'POST',
        `/v1/task-models/${id}/predictions`,
        JSON.stringify(signalFields(trials)),
        randomUUID(),
      ),
    usage: () => send<Usage>('GET', '/v1/usage'),
  };
}

function candidatesOf(progress: unknown): CandidateState[] {
  const list = (progress as { candidates?: unknown } | null)?.candidates;
  return Array.isArray(list) ? (list as CandidateState[]) : [];
}

/** The trials as base64 of little-endian float32, the more compact of the two forms. */
function signalFields({ x, samples, rateHz, channels, labels }: DemoTrials) {
  return {
    x: Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString('base64'),
    shape: [labels.length, channels.length, samples],
    sampling_rate_hz: rateHz,
    units: 'uV',
    channels,
  };
}
