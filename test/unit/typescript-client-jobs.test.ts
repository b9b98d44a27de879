import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EegTaskClassifier, InvalidRequestError } from '../../clients/typescript/src/index.ts';
import { fakeFetch, refusal, type MadeUp } from '../support/client-fetch.ts';

const id = `job_${'0'.repeat(32)}`;
const model = `clf_${'0'.repeat(32)}`;
const input = {
  x: [[[1, 2]]],
  sampling_rate_hz: 100,
  units: 'uV',
  channels: ['C3'],
  labels: ['a'],
  description: 'a or b',
} as const;
const job = (change: object): object => ({
  object: 'job',
  id,
  operation: 'create',
  task_model: null,
  error: null,
  ...change,
});
const fitted = { object: 'task_model', id: model };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function answered(answers: readonly MadeUp[], call: (client: EegTaskClassifier) => Promise<unknown>) {
  const { sent, fetch } = fakeFetch((_, index) => answers[index]!);
  const client = new EegTaskClassifier({ apiKey: 'eeg_test_secret', baseUrl: 'https://eeg.example.org/', fetch });
  const began = Date.now();
  const answer = call(client).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { sent, answer: (await answer) as any, milliseconds: Date.now() - began };
}

describe('the TypeScript client', () => {
  it('reads a fit that takes long as a job, until it has ended', async () => {
    const { sent, answer, milliseconds } = await answered(
      [
        { status: 202, body: job({}), headers: { 'retry-after': '2' } },
        { status: 200, body: job({}), headers: { 'retry-after': '3' } },
        { status: 503, body: refusal('POOL_UNAVAILABLE'), headers: { 'retry-after': '1' } },
        { status: 200, body: job({ task_model: fitted }) },
      ],
      (client) => client.create(input),
    );
    expect(answer).toEqual(fitted);
    expect(sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /v1/task-models',
      ...Array.from({ length: 3 }, () => `GET /v1/jobs/${id}`),
    ]);
    expect(sent[0]!.headers).toMatchObject({ prefer: 'respond-async, wait=30', 'idempotency-key': expect.any(String) });
    expect(milliseconds).toBe(6_000);
  });

  it('throws the error of a job as that of the request', async () => {
    const error = refusal('CLASSIFIER_FIT_FAILED', 'invalid_request_error');
    const { answer, sent } = await answered(
      [
        { status: 202, body: job({ operation: 'fit' }) },
        { status: 200, body: job({ operation: 'fit', error }) },
      ],
      (client) => client.fit(model, { ignoreClasses: ['lefft'] }),
    );
    expect(answer).toBeInstanceOf(InvalidRequestError);
    expect([answer.code, answer.requestId]).toEqual(['CLASSIFIER_FIT_FAILED', 'req_1']);
    expect(sent[0]!.body).toEqual({ ignore_classes: ['lefft'] });
  });

  it('asks for no job where it only estimates or collects', async () => {
    const { sent } = await answered([{ status: 200, body: {} }], (client) => client.estimate(input));
    expect(sent[0]!.headers['prefer']).toBeUndefined();
  });
});
