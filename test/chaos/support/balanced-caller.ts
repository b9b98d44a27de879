import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where a request may be sent now. */
export interface Place {
  readonly url: string;
  readonly ready: boolean;
}

interface Sent {
  readonly key: string;
  readonly path: string;
  /** JSON text. */
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: any;
}

const patienceMs = 120_000;

/** One attempt on a connection of its own, as a proxy makes it that keeps none to a process that ends. */
const attempt = (url: string, { key, path, body }: Sent, idempotencyKey: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': idempotencyKey,
    };
    const sent = request(url + path, { method: 'POST', agent: false, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode!,
          retryAfter: response.headers['retry-after'] ?? null,
          body: JSON.parse(Buffer.concat(chunks).toString()),
        }),
      );
    });
    sent.once('error', reject).end(body);
  });

/** An attempt in words: status and code, or the error of its connection. */
function wordsOf(got: Answer | string): string {
  if (typeof got === 'string') return got;
  const { status, retryAfter, body } = got;
  return `${status} ${status < 300 ? 'ok' : body.code}${retryAfter === null ? '' : ' with Retry-After'}`;
}

/**
 * Sends each request to the places that are ready, in turn, and again as the spec's retry rules say. `seen`: how often
 * attempts were answered so.
 */
export function balancedCaller(places: () => readonly Place[]) {
  const seen = new Map<string, number>();
  let turn = 0;
  return {
    seen: seen as ReadonlyMap<string, number>,
    async send(sent: Sent): Promise<Answer> {
      const idempotencyKey = crypto.randomUUID();
      for (const until = performance.now() + patienceMs; ;) {
        const ready = places().filter((each) => each.ready);
        const { url } = ready[(turn += 1) % ready.length]!;
        const got = await attempt(url, sent, idempotencyKey).catch(
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        );
        seen.set(wordsOf(got), (seen.get(wordsOf(got)) ?? 0) + 1);
        const answer = typeof got === 'string' ? null : got;
        if (answer && answer.status < 500 && answer.status !== 409) return answer;
        if (performance.now() > until) throw new Error(`${sent.path} was never answered: ${wordsOf(got)}`);
        await sleep(Number(answer?.retryAfter ?? 1) * 1000);
      }
    },
  };
}
