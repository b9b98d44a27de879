import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agreementOf } from '../../clients/dashboard/models/label/agreement.ts';
import { firstStarts } from '../../clients/dashboard/models/label/first-starts.ts';
import { labelCsv } from '../../clients/dashboard/models/label/label-csv.ts';
import { evenParts, type LabelChoice } from '../../clients/dashboard/models/label/parts.ts';
import { noAnswers, sendLabels } from '../../clients/dashboard/models/label/send-labels.ts';
import { stripBlocks } from '../../clients/dashboard/models/label/strip-blocks.ts';
import { createTasks } from '../../clients/dashboard/models/file/tasks.ts';
import { limits, trialsPerRequest } from '../../infra/contract/limits.ts';
import { writeEdf } from '../support/write-edf.ts';

const rateHz = 16;
const seconds = 24;
const ramp = (slope: number) => Array.from({ length: rateHz * seconds }, (_, i) => slope * (i % 500));
const bytes = writeEdf({
  rateHz,
  channels: [
    { label: 'EEG C3-REF', unit: 'uV', values: ramp(1) },
    { label: 'Cz..', unit: 'mV', values: ramp(0.5) },
    { label: 'EOG left', unit: 'uV', values: ramp(2) },
  ],
  annotations: [
    { onset: 0.5, duration: 1, text: 'fists' },
    { onset: 4, duration: 1, text: 'T2' },
    { onset: 8, duration: 10, text: 'Sleep stage W' },
    { onset: 23, duration: 1, text: 'fists' },
  ],
});

const choice = (starts: LabelChoice['starts'], more: Partial<LabelChoice> = {}): LabelChoice => ({
  starts,
  channels: ['Cz', 'C3'],
  seconds: 2,
  classes: ['feet', 'fists'],
  align: 'none',
  ...more,
});

async function opened() {
  const tasks = createTasks();
  await tasks.open([new File([bytes as Uint8Array<ArrayBuffer>], 'one.edf')]);
  return tasks;
}

describe('a recording that is labelled', () => {
  it('gives trials at chosen events, with the classes that are known; what reaches past the end is counted', async () => {
    const tasks = await opened();
    const starts = { kind: 'events', meanings: { fists: 'fists', T2: '' }, from: 0.5 } as const;
    expect(tasks.planLabels(choice(starts))).toEqual({
      at: [16, 72],
      truth: ['fists', null],
      cutOff: 1,
      rateHz,
      samples: 32,
      parts: [2],
      windows: 2,
    });
  });

  it('gives a trial every few seconds, with the class of the event that lasts over its middle', async () => {
    const tasks = await opened();
    const plan = tasks.planLabels(choice({ kind: 'every', step: 4, meanings: { 'Sleep stage W': 'W' } }));
    expect(plan.at).toEqual([0, 64, 128, 192, 256, 320]);
    expect(plan.truth).toEqual([null, null, 'W', 'W', 'W', null]);
  });

  it('is sent in the channels of the model, in microvolts, as recorded', async () => {
    const tasks = await opened();
    tasks.planLabels(choice({ kind: 'every', step: 2, meanings: {} }));
    const body = JSON.parse(tasks.labelBody(0));
    expect(body).toMatchObject({ shape: [12, 2, 32], sampling_rate_hz: rateHz, units: 'uV', channels: ['Cz', 'C3'] });
    const x = new Float32Array(new Uint8Array(Buffer.from(body.x, 'base64')).buffer);
    expect(x).toHaveLength(12 * 2 * 32);
    expect(x[1] / 1000).toBeCloseTo(0.5, 1);
    expect(x[32 + 3]).toBeCloseTo(3, 1);
  });

  it.each([
    ['a missing electrode', choice({ kind: 'every', step: 2, meanings: {} }, { channels: ['Cz', 'Pz'] }), /lacks Pz/],
    ['no chosen event', choice({ kind: 'events', meanings: {}, from: 0 }), /No event is chosen/],
    ['trials that all reach past the end', choice({ kind: 'events', meanings: { fists: '' }, from: 30 }), /past the/],
    ['too short a recording', choice({ kind: 'every', step: 2, meanings: {} }, { seconds: 30 }), /shorter than one/],
    ['too many trials', choice({ kind: 'every', step: 0.0001, meanings: {} }), /At most 50000/],
  ])('has a message for people about %s', async (_, of, message) => {
    const tasks = await opened();
    expect(() => tasks.planLabels(of)).toThrow(message);
    expect(() => tasks.labelBody(0)).toThrow('No trials have been chosen');
  });

  it('goes in parts that one request may carry, all of nearly the same size', () => {
    const most = trialsPerRequest(64, 4 * 500, 500);
    const parts = evenParts(1000, most);
    expect(parts.reduce((sum, count) => sum + count, 0)).toBe(1000);
    expect(Math.max(...parts)).toBeLessThanOrEqual(most);
    expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    expect(parts[0] * 64 * 2000).toBeLessThanOrEqual(limits.numbersPerRequest);
  });
});

describe('the requests of a labelling', () => {
  const reader = { labelBody: (part: number) => Promise.resolve(`{"part":${part}}`) };
  const model = { id: 'clf_1', test: false };
  const plan = { parts: [2, 1] };
  let asked: [path: string, key: string][];
  let answers: (() => Response)[];
  const labelled = (labels: string[], headers: Record<string, string> = {}) =>
    Response.json(
      {
        data: labels.map((label, index) => ({ object: 'classification', index, label, probabilities: { a: 0.1 } })),
        cost: { usd: '0.003', windows: labels.length },
      },
      { headers },
    );
  beforeEach(() => {
    asked = [];
    vi.stubGlobal('fetch', (path: string, { headers }: { headers: Record<string, string> }) => {
      asked.push([path, headers['idempotency-key']]);
      return Promise.resolve(answers.shift()!());
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('have a key each; after a failure they go on with the part that has no answer, under the same key', async () => {
    const own = noAnswers();
    const done: number[] = [];
    const go = () => sendLabels(reader, model, plan, own, () => done.push(own.trials.length));
    const error = { type: 'billing_error', code: 'INSUFFICIENT_CREDIT', message: 'm', field: '', alternatives: [] };
    answers = [
      () => labelled(['a', 'b']),
      () => Response.json({ ...error, details: { request_id: 'r' } }, { status: 402 }),
    ];
    await expect(go()).rejects.toMatchObject({ status: 402, isOfInterface: true });
    expect([own.trials.length, own.windows]).toEqual([2, 2]);
    answers = [() => labelled(['a'])];
    await go();
    expect(own.trials.map(({ label }) => label)).toEqual(['a', 'b', 'a']);
    expect(done).toEqual([2, 3]);
    expect(own.windows).toBe(3);
    const keys = asked.map(([, key]) => key);
    expect(new Set(keys).size).toBe(2);
    expect(keys[1]).toBe(keys[2]);
    expect(asked[0][0]).toBe('/dashboard/api/v1/task-models/clf_1/predictions');
  });

  it('that were answered before cost nothing again', async () => {
    const own = noAnswers();
    answers = [() => labelled(['a', 'b'], { 'idempotent-replayed': 'true' }), () => labelled(['a'])];
    await sendLabels(reader, model, plan, own, () => undefined);
    expect(own.windows).toBe(1);
  });
});

describe('the first choice for a file', () => {
  const about = { classes: ['feet', 'fists'], seconds: 4, remembered: null };
  const event = (text: string, seconds = 4) => ({ text, count: 5, seconds });
  it('gives events their class by name, or as the create did', () => {
    expect(firstStarts([event('rest'), event('Fists'), event('feet')], about)).toEqual({
      kind: 'events',
      meanings: { Fists: 'fists', feet: 'feet' },
      from: 0,
    });
    const remembered = { classes: { T1: 'fists', T9: 'a class of another model' }, from: 1 };
    expect(firstStarts([event('T0'), event('T1'), event('T9')], { ...about, remembered })).toEqual({
      kind: 'events',
      meanings: { T1: 'fists' },
      from: 1,
    });
  });

  it('takes events of unknown class without a class, and pauses not at all', () => {
    expect(firstStarts([event('T0'), event('T1')], about)).toEqual({ kind: 'events', meanings: { T1: '' }, from: 0 });
  });

  it('cuts a scored night into trials, and compares them', () => {
    const night = [event('Sleep stage W', 300), event('Sleep stage R', 90)];
    expect(firstStarts(night, { classes: ['R', 'W'], seconds: 30, remembered: null })).toEqual({
      kind: 'every',
      step: 30,
      meanings: { 'Sleep stage W': 'W', 'Sleep stage R': 'R' },
    });
    expect(firstStarts([], about)).toEqual({ kind: 'every', step: 4, meanings: {} });
  });
});

describe('the result', () => {
  it('as CSV has every digit of the probabilities, and no formulas', () => {
    const csv = labelCsv({
      classes: ['=a', 'b, c'],
      begins: [0.5, 4.25],
      trials: [
        { label: '=a', probabilities: { '=a': 0.1234567890123, 'b, c': 0.8765432109877 } },
        { label: 'b, c', probabilities: { '=a': 1e-7, 'b, c': 0.9999999 } },
      ],
      truth: [null, 'b, c'],
    });
    expect(csv.split('\r\n')).toEqual([
      'trial,begins_s,label,probability =a,"probability b, c",known class',
      "1,0.5,'=a,0.1234567890123,0.8765432109877,",
      '2,4.25,"b, c",1e-7,0.9999999,"b, c"',
      '',
    ]);
  });

  it('counts right labels where the class is known, also averaged over the classes', () => {
    expect(agreementOf(['a', 'a', 'b', 'a'], [null, null, null, null])).toBeNull();
    const found = agreementOf(['a', 'a', 'b', 'a'], ['a', 'a', 'a', 'b'])!;
    expect(found).toMatchObject({ known: 4, right: 2 });
    expect(found.balanced).toBeCloseTo((2 / 3 + 0) / 2);
    // Wilson's interval of 2 of 4, as statsmodels' proportion_confint(2, 4, method='wilson') gives it.
    expect(found.interval[0]).toBeCloseTo(0.15, 2);
    expect(found.interval[1]).toBeCloseTo(0.85, 2);
  });

  it('over time is a block for each trial, or the most frequent label of a few pixels', () => {
    const shape = { seconds: 10, trialSeconds: 4, width: 100 };
    expect(stripBlocks([0, 2, 6], ['a', null, 'b'], shape)).toEqual([
      { x: 0, width: 20, label: 'a' },
      { x: 60, width: 40, label: 'b' },
    ]);
    const many = Array.from({ length: 1000 }, (_, i) => i / 100);
    const blocks = stripBlocks(
      many,
      many.map((_, i) => (i % 3 ? 'a' : 'b')),
      { ...shape, trialSeconds: 0.01 },
    );
    expect(blocks).toHaveLength(50);
    expect(new Set(blocks.map(({ label }) => label))).toEqual(new Set(['a']));
  });
});
