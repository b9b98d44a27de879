import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../ml/random.ts';

/** A terminal answer, and what had to be sent for it. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: any;
  readonly replayed: boolean;
  /** Attempts of which nobody can say whether they were done: no answer came, or it said that it does not know. */
  readonly unsure: number;
}

export interface Asked {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  readonly idempotencyKey?: string;
}

export interface PatientCaller {
  send(asked: Asked): Promise<Reply>;
  /** How many attempts were answered so: by status and code, or `lost`. */
  readonly seen: ReadonlyMap<string, number>;
}

const retriedLimits = new Set(['RATE_LIMITED', 'CONCURRENCY_LIMITED']);
const longestWaitSeconds = 8;
const patienceMs = 240_000;
const attemptMs = 120_000;

/** Whether the spec's retry rules say to send the request again. */
const isRetried = (status: number, code: string): boolean =>
  status === 409 || status >= 500 || (status === 429 && retriedLimits.has(code));

/**
 * A client that follows the spec's retry rules, but gives up after minutes in place of five attempts. It sends each
 * attempt to any of the addresses, as a load balancer would.
 */
export function patientCaller(
  urls: readonly string[],
): { caller(random: Random): PatientCaller } & Pick<PatientCaller, 'seen'> {
  const seen = new Map<string, number>();
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

  const attempt = async ({ key, method, path, body, idempotencyKey }: Asked, url: string) => {
    const response = await fetch(url + path, {
      method,
      body,
      signal: AbortSignal.timeout(attemptMs),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
    });
    return { response, text: await response.text() };
  };

  return {
    seen,
    caller: (random) => ({
      seen,
      async send(asked) {
        const history: string[] = [];
        let unsure = 0;
        for (let tried = 0, until = performance.now() + patienceMs; ; tried += 1) {
          const url = urls[Math.floor(urls.length * random())]!;
          const got = await attempt(asked, url).catch((error: Error & { cause?: { code?: string } }) => error);
          let wait = Math.min(2 ** tried, longestWaitSeconds);
          if (got instanceof Error) {
            const refused = got.cause instanceof Error && got.cause.code === 'ECONNREFUSED';
            if (!refused) unsure += 1;
            history.push(refused ? 'refused' : got.name === 'TimeoutError' ? 'timeout' : 'lost');
          } else {
            const { response, text } = got;
            const body = JSON.parse(text);
            const code: string = response.ok ? 'ok' : body.code;
            history.push(`${response.status} ${body.details?.blocked_at ? 'blocked' : code}`);
            if (code === 'BILLING_UNAVAILABLE' && body.message.includes('not known')) unsure += 1;
            if (!isRetried(response.status, code)) {
              note(history.at(-1)!);
              const replayed = response.headers.get('idempotent-replayed') === 'true';
              return { status: response.status, text, body, replayed, unsure };
            }
            wait = Number(response.headers.get('retry-after') ?? wait);
          }
          note(history.at(-1)!);
          if (performance.now() > until)
            throw new Error(`${asked.method} ${asked.path} was never answered: ${history.join(', ')}`);
          await sleep(wait * 1000);
        }
      },
    }),
  };
}
