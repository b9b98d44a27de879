import { afterEach, describe, expect, it, vi } from 'vitest';
import { stratifiedBatches } from '../../clients/typescript/src/batches.ts';
import { EegTaskClassifier, limits, type CreateInput } from '../../clients/typescript/src/index.ts';
import { encodeTrials, packTrials } from '../../clients/typescript/src/trials.ts';
import { fakeFetch, refusal, type MadeUp, type SentRequest } from '../support/client-fetch.ts';

const baseUrl = 'https://eeg.example.org';
const model = `clf_${'0'.repeat(32)}`;
const trials = limits.windowsPerRequest + 4;
const names = Array.from({ length: trials }, (_, trial) => `s${trial}`);
const signal = { sampling_rate_hz: 100, units: 'uV', channels: ['C3', 'C4'] } as const;
const long = { x: Float32Array.from({ length: 4 * trials }, (_, at) => at), shape: [trials, 2, 2], ...signal } as const;
const labels = names.map((_, trial) => (trial % 3 ? 'left' : 'right'));
const input: CreateInput = { ...long, labels, sessions: names, description: 'left or right', name: 'Mine' };

/** A client of a service that answers so, and what it sent. */
function made(answer: (request: SentRequest, index: number) => MadeUp) {
  const { sent, fetch } = fakeFetch(answer);
  return { sent, eeg: new EegTaskClassifier({ baseUrl, fetch, retries: 0 }) };
}

const numbersOf = (x: string): number[] => [...new Float32Array(Uint8Array.from(Buffer.from(x, 'base64')).buffer)];
const ok = (body: unknown, status = 200): MadeUp => ({ status, body });
const refused = (code: string): any => expect.objectContaining({ code, status: 0 });

describe('trials of the TypeScript client', () => {
  it('are little-endian float32 in base64, of nested lists and of typed arrays, whatever their length', () => {
    const x = Array.from({ length: 3 }, (_, t) => Array.from({ length: 2 }, (_, c) => [t, c + 0.5, -1e6, 1e-7]));
    const packed = packTrials({ x });
    expect(encodeTrials(packed)).toEqual({
      x: Buffer.from(new Float32Array(x.flat(2)).buffer).toString('base64'),
      shape: [3, 2, 4],
    });
    const part = packTrials({ x: new Float32Array(x.flat(2)).subarray(8, 16), shape: [1, 2, 4] });
    expect(numbersOf(encodeTrials(part).x)).toEqual(numbersOf(encodeTrials(packed).x).slice(8, 16));
    expect(encodeTrials(packTrials({ x: Float64Array.from(x.flat(2)), shape: [3, 2, 4] }))).toEqual(
      encodeTrials(packed),
    );
    const many = Float32Array.from({ length: 100_003 }, (_, at) => at / 7);
    const { x: text } = encodeTrials(packTrials({ x: many, shape: [1, 1, many.length] }));
    expect(text).toBe(Buffer.from(many.buffer).toString('base64'));
  });

  it.each([
    ['ragged channels', { x: [[[1]], [[1], [2]]] }, 'x[1]'],
    ['ragged samples', { x: [[[1, 2], [1]]] }, 'x[0][1]'],
    ['a missing number', { x: [[[1, null]]] }, 'x[0][0][1]'],
    ['text', { x: [[['1']]] }, 'x[0][0][0]'],
    ['no number', { x: [[[Number.NaN]]] }, 'x[0][0][0]'],
    ['nothing', { x: [] }, 'x'],
    ['numbers without shape', { x: new Float32Array(4) }, 'shape'],
    ['another shape', { x: new Float32Array(4), shape: [1, 1, 3] }, 'shape'],
    ['a typed infinity', { x: Float64Array.of(1, Infinity), shape: [1, 1, 2] }, 'x'],
    ['too few labels', { ...long, labels: ['left'] }, 'labels'],
  ])('with %s are refused before anything is sent', async (_, change, field) => {
    const { sent, eeg } = made(() => ok({}));
    const create = eeg.create({ ...signal, description: 'd', labels: ['left', 'right'], ...change } as CreateInput);
    await expect(create).rejects.toMatchObject({ name: 'RefusedError', code: 'INVALID_REQUEST', field });
    expect(sent).toEqual([]);
  });
});

describe('predictions of more trials than a request takes', () => {
  const answer = ({ body }: SentRequest): MadeUp => {
    const [count] = body.shape;
    const numbers = numbersOf(body.x);
    const data = Array.from({ length: count }, (_, index) => ({ index, label: numbers[4 * index] }));
    const warnings = ['Units?', `${count} trials.`];
    return ok({ data, signal: { trials: count, warnings }, cost: { usd: (count * 0.003).toFixed(3), windows: count } });
  };

  it('are sent in order, each with a key of its own, and joined', async () => {
    const { sent, eeg } = made(answer);
    const told: number[] = [];
    const context = { session_id: names };
    const list: any = await eeg.predict(
      model,
      { ...long, normalization_context: context },
      { onProgress: ({ trialsDone }) => told.push(trialsDone) },
    );
    expect(sent.map(({ body }) => body.shape[0])).toEqual([4_096, 4]);
    expect(sent[1].body.normalization_context).toEqual({ session_id: names.slice(4_096) });
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
    expect(list.data.map(({ index }: any) => index)).toEqual(names.map((_, trial) => trial));
    expect(list.data.map(({ label }: any) => label)).toEqual(names.map((_, trial) => 4 * trial));
    expect([list.signal.trials, list.cost]).toEqual([trials, { usd: '12.30', windows: trials }]);
    expect(list.signal.warnings).toEqual(['Units?', '4096 trials.', '4 trials.']);
    expect(told).toEqual([4_096, trials]);
    const keyed = made(answer);
    await keyed.eeg.predict(model, long, { idempotencyKey: 'mine' });
    expect(keyed.sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine/1']);
  });

  it('that end early return the paid answers', async () => {
    const { eeg } = made((request, index) =>
      index ? { status: 402, body: refusal('BUDGET_EXCEEDED') } : answer(request),
    );
    const error: any = await eeg.predict(model, long).catch((e) => e);
    expect([error.name, error.code, error.status]).toEqual(['PartialPredictionError', 'PREDICTIONS_INCOMPLETE', 402]);
    expect([error.predictions.data.length, error.cause.code]).toEqual([4_096, 'BUDGET_EXCEEDED']);
  });

  it('are refused if they must be read together, or if the id is not a model id', async () => {
    const { sent, eeg } = made(answer);
    await expect(eeg.predict(model, { ...long, align: 'batch' })).rejects.toThrow(refused('PAYLOAD_TOO_LARGE'));
    await expect(eeg.predict('../usage', long)).rejects.toThrow(refused('INVALID_REQUEST'));
    await expect(eeg.create(input)).rejects.toThrow(/createInBatches/);
    expect(sent).toEqual([]);
  });
});

describe('batches', () => {
  it('are few, equal in size, shuffled, ascending, and have every class; the same seed gives the same batches', () => {
    const batches = stratifiedBatches(labels, 1_000, 7);
    expect(batches.map((batch) => batch.length)).toEqual([820, 820, 820, 820, 820]);
    expect(batches.flat().sort((a, b) => a - b)).toEqual(names.map((_, trial) => trial));
    const rights = batches.map((batch) => batch.filter((trial) => labels[trial] === 'right').length);
    expect(Math.max(...rights) - Math.min(...rights)).toBeLessThanOrEqual(1);
    for (const batch of batches) {
      expect(batch).toEqual([...batch].sort((a, b) => a - b));
      expect(batch.every((trial) => trial < 1_400)).toBe(false);
    }
    expect(stratifiedBatches(labels, 1_000, 7)).toEqual(batches);
    expect(stratifiedBatches(labels, 1_000, 8)).not.toEqual(batches);
  });

  /** A service that takes batches at this price a trial, and whose `failing` request fails. */
  function service(price: number, failing = Number.NaN) {
    return made(({ method, body }, index) => {
      if (index === failing) return { status: 422, body: refusal('CLASSIFIER_FIT_FAILED', 'invalid_request_error') };
      const usd = ((body?.shape?.[0] ?? 0) * price).toFixed(3);
      if (body?.dry_run) return ok({ create_usd: '1.00', hosting_usd_per_month: '1.00', batch_usd: usd });
      return ok({ id: model, status: method === 'DELETE' ? 'deleted' : 'collecting', cost: { usd, windows: 0 } });
    });
  }

  it('are sent one after another, then fitted; fields of the create are sent only with it', async () => {
    const { sent, eeg } = service(0.003);
    const told: any[] = [];
    await eeg.createInBatches(
      { ...input, parameters: { priors: 'as_sent' } },
      { onProgress: (done) => told.push(done) },
    );
    const [first, second, fit] = sent;
    expect(sent.map(({ url }) => url.replace(`${baseUrl}/v1/task-models`, ''))).toEqual([
      '',
      `/${model}/trials`,
      `/${model}/fit`,
    ]);
    expect(first.body).toMatchObject({ defer_fit: true, description: 'left or right', name: 'Mine' });
    expect(Object.keys(second.body).sort()).toEqual(
      ['channels', 'labels', 'sampling_rate_hz', 'sessions', 'shape', 'units', 'x'].sort(),
    );
    for (const { body } of [first, second]) {
      const kept = body.sessions.map((name: string) => Number(name.slice(1)));
      expect(body.labels).toEqual(kept.map((trial: number) => labels[trial]));
      expect(numbersOf(body.x).filter((_, at) => at % 4 === 0)).toEqual(kept.map((trial: number) => 4 * trial));
    }
    expect(fit.headers['idempotency-key']).toBeDefined();
    expect(told).toEqual([
      { modelId: model, batchesDone: 1, batches: 2, trialsDone: 2_050, trials, paidUsd: '6.15' },
      { modelId: model, batchesDone: 2, batches: 2, trialsDone: 4_100, trials, paidUsd: '12.30' },
    ]);
  });

  it.each([
    ['when /trials fails', 1],
    ['when the fit fails', 2],
  ])('%s: a paid model is named and kept, an unpaid one is deleted', async (_, failing) => {
    const paid = service(0.003, failing);
    const error: any = await paid.eeg.createInBatches(input).catch((e) => e);
    expect([error.name, error.modelId, error.paidUsd]).toEqual([
      'UploadError',
      model,
      failing === 1 ? '6.15' : '12.30',
    ]);
    expect(error.message).toContain(model);
    expect([error.cause.code, error.status]).toEqual(['CLASSIFIER_FIT_FAILED', 422]);
    expect(paid.sent.some(({ method }) => method === 'DELETE')).toBe(false);
    const free = service(0, failing);
    const other: any = await free.eeg.createInBatches(input).catch((e) => e);
    expect([other.name, other.modelId, free.sent.at(-1)!.method]).toEqual(['UploadError', null, 'DELETE']);
  });

  it('cost no more than maxUsd, together with the create and a month', async () => {
    const { sent, eeg } = service(0.003);
    await expect(eeg.createInBatches(input, { maxUsd: 14.29 })).rejects.toThrow(/\$14\.30/);
    expect(sent.map(({ body }) => body.dry_run)).toEqual([true]);
    await eeg.createInBatches(input, { maxUsd: 14.3 });
    expect(sent).toHaveLength(5);
  });
});

describe('money', () => {
  const small: CreateInput = {
    x: [[[1]], [[2]]],
    ...signal,
    channels: ['C3'],
    labels: ['a', 'b'],
    description: 'a or b',
  };

  it('beyond maxUsd is refused after an estimate, and nothing is created', async () => {
    const answer = (): MadeUp => ok({ create_usd: '1.00', hosting_usd_per_month: '1.00' });
    const { sent, eeg } = made(answer);
    await expect(eeg.create(small, { maxUsd: 1.99 })).rejects.toThrow(refused('MAX_USD'));
    await expect(eeg.create(small, { maxUsd: 'much' })).rejects.toThrow(refused('INVALID_REQUEST'));
    expect(sent.every(({ body }) => body.dry_run)).toBe(true);
    await eeg.create(small, { maxUsd: '2.00', idempotencyKey: 'mine' });
    expect([sent.at(-1)!.body.dry_run, sent.at(-1)!.headers['idempotency-key']]).toEqual([undefined, 'mine']);
    expect(sent.at(-2)!.headers['idempotency-key']).not.toBe('mine');
  });
});

describe('a model without trials', () => {
  const task = { description: 'eyes closed or open', channels: ['Oz'], sampling_rate_hz: 100, trial_seconds: 4 };
  const preparation = { status: 'running', retryable: true, estimated_seconds: 90, reason: null, progress: null };
  const reference_classes = { closed: { data_set: 'd', version: '1', task: 't', class: 'c' } };
  const estimate = { ready: true, create_usd: '1.00', hosting_usd_per_month: '1.00', reference_classes };
  afterEach(() => vi.useRealTimers());

  /** Creates one from these answers, time going on by itself. */
  async function created(answers: readonly MadeUp[], options: object = {}) {
    vi.useFakeTimers();
    const { sent, eeg } = made((_, index) => answers[Math.min(index, answers.length - 1)]);
    const answer = eeg.zeroShot(task, options).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    return { sent, answer: (await answer) as any };
  }

  it('is estimated until it is ready, reviewed, and created with the mapping, retried under one key', async () => {
    const seen: any[] = [];
    const began = Date.now();
    const { sent, answer } = await created(
      [
        { status: 200, body: { ready: false, preparation }, headers: { 'retry-after': '5' } },
        { status: 200, body: { ready: false, preparation } },
        ok(estimate),
        { status: 202, body: { object: 'task_model.preparing', preparation }, headers: { 'retry-after': '3' } },
        ok({ object: 'task_model', id: model }, 201),
      ],
      { review: (it: any) => Boolean(seen.push(it)), onPreparation: (it: any) => seen.push(it.status), maxUsd: 2 },
    );
    expect(answer.id).toBe(model);
    expect(Date.now() - began).toBeGreaterThanOrEqual(38_000);
    expect(seen).toEqual(['running', 'running', estimate, 'running']);
    expect(sent.map(({ body }) => body.dry_run)).toEqual([true, true, true, undefined, undefined]);
    expect(sent[3].body).toEqual({ ...task, mode: 'zero_shot', reference_classes });
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect([keys[3] === keys[4], new Set(keys).size]).toEqual([true, 4]);
  });

  it.each([
    ['nobody confirms it', [ok(estimate)], { review: () => false }, 'NOT_CONFIRMED'],
    ['it costs too much', [ok(estimate)], { maxUsd: 1 }, 'MAX_USD'],
    [
      'its recordings cannot be prepared',
      [ok({ ready: false, preparation: { ...preparation, status: 'failed', retryable: false } })],
      {},
      'PREPARATION_FAILED',
    ],
    [
      'an operator must act',
      [ok({ ready: false, preparation: { ...preparation, status: 'required' } })],
      {},
      'PREPARATION_FAILED',
    ],
    ['it takes too long', [ok({ ready: false, preparation })], { preparationTimeoutMs: 95_000 }, 'PREPARATION_TIMEOUT'],
  ])('is not created when %s', async (_, answers, options, code) => {
    const { sent, answer } = await created(answers, options);
    expect(answer.code).toBe(code);
    expect(sent.every(({ body }) => body.dry_run)).toBe(true);
  });
});

describe('the list of models', () => {
  it('is read page by page, only as far as needed', async () => {
    const pages = [
      ok({ data: [{ id: 1 }, { id: 2 }], next_before: model }),
      ok({ data: [{ id: 3 }], next_before: null }),
    ];
    const { sent, eeg } = made((_, index) => pages[index]);
    const seen: unknown[] = [];
    for await (const { id } of eeg.models.list({ limit: 2 })) {
      seen.push([id, sent.length]);
    }
    expect(seen).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
    ]);
    expect(sent[1].url).toBe(`${baseUrl}/v1/task-models?limit=2&before=${model}`);
  });
});
