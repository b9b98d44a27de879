import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoTrials } from '../../infra/recordings/trials.ts';

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** A caller of a running API over HTTP. */
export function httpClient(url: string, key: string) {
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpReply> => {
    const response = await fetch(url + path, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    send,
    /** Repeats a request with one Idempotency-Key while it is answered 409 or 503. */
    async untilAnswered(path: string, body: unknown, idempotencyKey: string, seconds = 240): Promise<HttpReply> {
      for (const until = performance.now() + seconds * 1000; ; await sleep(500)) {
        const reply = await send('POST', path, body, { 'idempotency-key': idempotencyKey });
        if (![409, 503].includes(reply.status) || performance.now() > until) return reply;
      }
    },
  };
}

/** The signal fields of a request for trials of the demo. */
export const signalOf = (trials: DemoTrials) => ({
  x: Buffer.from(trials.x.buffer, trials.x.byteOffset, trials.x.byteLength).toString('base64'),
  shape: [trials.labels.length, trials.channels.length, trials.samples],
  sampling_rate_hz: trials.rateHz,
  units: 'uV',
  channels: trials.channels,
});

export const createOf = (trials: DemoTrials, description: string) => ({
  ...signalOf(trials),
  labels: trials.labels,
  sessions: trials.sessions,
  description,
});
