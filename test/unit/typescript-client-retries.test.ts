import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EegError, EegTaskClassifier } from '../../clients/typescript/src/index.ts';
import { fakeFetch, refusal, type MadeUp } from '../support/client-fetch.ts';

const baseUrl = 'https://eeg.example.org/';
const apiKey = 'eeg_test_secret';
const input = { x: [[[1, 2]]], sampling_rate_hz: 100, units: 'uV', channels: ['C3'] } as const;
const model = `clf_${'0'.repeat(32)}`;
const predictions = { object: 'list', data: [] };

/** Milliseconds that were waited between the attempts. */
let waits: number[];
beforeEach(() => {
  vi.useFakeTimers();
  waits = [];
});
afterEach(() => vi.useRealTimers());

/** One prediction of a client whose attempts are answered so; time goes on by itself. */
async function attempted(answers: readonly MadeUp[], options: object = {}, signal?: AbortSignal) {
  let last: number | null = null;
  const { sent, fetch } = fakeFetch((_, index) => {
    if (last !== null) waits.push(Date.now() - last);
    last = Date.now();
    return answers[Math.min(index, answers.length - 1)];
  });
  const client = new EegTaskClassifier({ apiKey, baseUrl, fetch, ...options });
  const answer = client.predict(model, input, { signal }).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { sent, answer: (await answer) as any };
}

const failure = (status: number, code: string, headers = {}): MadeUp => ({ status, body: refusal(code), headers });
const good: MadeUp = { status: 200, body: predictions };

describe('the TypeScript client', () => {
  it.each([
    [429, 'RATE_LIMITED'],
    [429, 'CONCURRENCY_LIMITED'],
    [500, 'INTERNAL'],
    [502, 'BACKEND_FAILURE'],
    [503, 'POOL_SATURATED'],
    [503, 'BILLING_UNAVAILABLE'],
  ])('sends again after %d %s, 1, 2, 4 and 8 s later, and gives up after five attempts', async (status, code) => {
    const { sent, answer } = await attempted([failure(status, code)]);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(sent).toHaveLength(5);
    expect(answer).toBeInstanceOf(EegError);
    expect([answer.status, answer.code]).toEqual([status, code]);
  });

  it.each([
    [401, 'UNAUTHENTICATED'],
    [402, 'INSUFFICIENT_CREDIT'],
    [402, 'BUDGET_EXCEEDED'],
    [403, 'SCOPE_MISSING'],
    [404, 'CLASSIFIER_NOT_FOUND'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [422, 'INVALID_REQUEST'],
    [422, 'IDEMPOTENCY_KEY_REUSED'],
    [429, 'USAGE_CAP_EXCEEDED'],
  ])('does not send again after %d %s, whatever Retry-After says', async (status, code) => {
    const { sent, answer } = await attempted([failure(status, code, { 'retry-after': '3600' })]);
    expect(sent).toHaveLength(1);
    expect([answer.status, answer.code, answer.retryAfter]).toEqual([status, code, 3_600]);
  });

  it('waits as long as Retry-After asks, and for the doubled second without one', async () => {
    const answers = [
      failure(503, 'POOL_UNAVAILABLE', { 'retry-after': '7' }),
      failure(429, 'RATE_LIMITED'),
      failure(429, 'RATE_LIMITED', { 'retry-after': '0' }),
      good,
    ];
    const { answer } = await attempted(answers);
    expect(waits).toEqual([7_000, 2_000, 0]);
    expect(answer).toEqual(predictions);
  });

  it('treats a failed connection, a timeout and the page of a proxy in the same way', async () => {
    const answers: MadeUp[] = [
      { throws: new TypeError('fetch failed') },
      { hangs: true },
      { status: 502, body: '<html>Bad gateway</html>' },
      good,
    ];
    const { sent, answer } = await attempted(answers, { timeoutMs: 60_000 });
    expect(waits).toEqual([1_000, 62_000, 4_000]);
    expect(answer).toEqual(predictions);
    expect(sent).toHaveLength(4);
    const gone = await attempted([{ hangs: true }], { timeoutMs: 5_000 });
    expect([gone.answer.name, gone.answer.code, gone.answer.status]).toEqual(['ConnectionError', 'TIMEOUT', 0]);
    const unreached = await attempted([{ throws: new TypeError('fetch failed') }], { retries: 1 });
    expect([unreached.answer.code, unreached.sent.length]).toEqual(['CONNECTION_FAILED', 2]);
    const page = await attempted([{ status: 404, body: '<html></html>' }]);
    expect([page.answer.name, page.answer.code, page.sent.length]).toEqual(['ApiError', 'HTTP_404', 1]);
  });

  it('keeps one Idempotency-Key and one body over all attempts, and names the key in the error', async () => {
    const { sent, answer } = await attempted([failure(500, 'INTERNAL')]);
    const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']));
    expect(keys).toEqual(new Set([answer.idempotencyKey]));
    expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const other = await attempted([good]);
    expect(keys).not.toContain(other.sent[0].headers['idempotency-key']);
    expect(sent[0].url).toBe(`https://eeg.example.org/v1/task-models/${model}/predictions`);
    expect(sent[0].headers.authorization).toBe(`Bearer ${apiKey}`);
  });

  it('waits for its own running request as long as for an answer', async () => {
    const running: MadeUp = {
      status: 409,
      body: refusal('CONFLICT', 'conflict_error'),
      headers: { 'retry-after': '30' },
    };
    const cut: MadeUp = { throws: new TypeError('fetch failed') };
    const { answer } = await attempted([cut, ...Array.from({ length: 12 }, () => running), good]);
    expect(answer).toEqual(predictions);
    expect(waits).toEqual([1_000, ...Array.from({ length: 12 }, () => 30_000)]);
    const never = await attempted([running]);
    expect([never.answer.status, never.sent.length]).toEqual([409, 25]);
  });

  it('ends at once when its signal aborts, before, in and between attempts, with its reason', async () => {
    const reason = new Error('enough');
    expect((await attempted([good], {}, AbortSignal.abort(reason))).answer).toBe(reason);
    for (const answers of [[{ hangs: true } as const], [failure(503, 'POOL_UNAVAILABLE', { 'retry-after': '600' })]]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 2_000);
      const { sent, answer } = await attempted(answers, {}, controller.signal);
      expect([sent.length, answer]).toEqual([1, reason]);
    }
  });
});
