import { describe, expect, it } from 'vitest';
import { batchRequest, createRequest, patchRequest, predictRequest } from '../../api/contract/requests.ts';
import { collect } from '../../api/http/collect.ts';
import { readFields } from '../../api/http/body.ts';
import { intake } from '../../api/intake/intake.ts';
import { planFit } from '../../api/intake/plan-fit.ts';
import { ApiError, errorBody } from '../../infra/contract/errors.ts';
import { brief, quoted } from '../../infra/contract/quote.ts';
import { bytesOf, createBody, labels, nested } from '../support/requests.ts';
import { Readable } from 'node:stream';

const mebibyte = 1024 * 1024;
const long = 'long '.repeat(200_000);
const weird: readonly unknown[] = [
  null,
  true,
  {},
  { toString: 1, length: 3 },
  { constructor: { name: 'x' } },
  [],
  [[]],
  [{}, {}],
  '',
  '__proto__',
  long,
  '\u0000'.repeat(1_000),
  Array.from({ length: 4_000 }, (_, at) => at),
  Array.from({ length: 4_000 }, () => long.slice(0, 1_000)),
  Array.from({ length: 4_000 }, () => ({})),
  Array.from({ length: 5_000 }, () => '\u0001'),
  1e308,
  -1,
  0.5,
];
const weirdTexts = weird.map((value) => JSON.stringify(value));

/** What every refusal keeps to, whatever was sent. */
function expectReadable(error: { message: string; details: Readonly<Record<string, unknown>> }): void {
  const text = JSON.stringify(error);
  expect(text.length).toBeLessThan(mebibyte / 2);
  expect(text).not.toMatch(/\[object |\bfunction\b|native code|=>/);
  const { errors } = error.details as { errors: { message: string }[] };
  expect(errors.length).toBeGreaterThan(0);
  expect(error.message.startsWith(errors[0].message)).toBe(true);
  for (const { message } of errors) expect(message.length).toBeLessThan(700);
}

const kinds = { create: createRequest, batch: batchRequest, predict: predictRequest } as const;

describe('a refusal', () => {
  it.each(
    Object.entries(kinds).flatMap(([what, schema]) =>
      [...Object.keys(schema.shape), 'a field that is none', 'constructor', '__proto__'].map(
        (field) => [what as keyof typeof kinds, field] as const,
      ),
    ),
  )('of a %s is short and in words whatever %s holds', (what, field) => {
    const body = JSON.stringify({ ...createBody(), [field]: 'the value' });
    const named = body.replace('"a field that is none"', `"${long.slice(0, 3_000)}"`);
    for (const value of weirdTexts) {
      const text = named.replace('"the value"', () => value);
      const read = intake(bytesOf(text), what, new Date());
      if (!read.ok) expectReadable(read.error);
    }
  });

  it('of a small body is small too', () => {
    for (const field of [...Object.keys(patchRequest.shape), 'constructor', long])
      for (const value of weird)
        try {
          readFields(patchRequest, { [field]: value });
        } catch (error) {
          expectReadable(error as ApiError);
        }
  });

  it('lists at most 200 failing fields and counts the others', () => {
    const x = nested(labels.length, 300, 2);
    const channels = Array.from({ length: 300 }, (_, at) => `no electrode ${at}`);
    const read = intake(bytesOf(createBody({ x, channels })), 'create');
    if (read.ok) throw new Error('the body was accepted');
    expect(read.error.details.errors).toHaveLength(200);
    expect(read.error.details.errors_left_out).toBe(100);
    expect(read.error.message).toContain('299 more failing fields');
  });

  it('reports integer labels once, with their number and the fix', () => {
    const read = intake(bytesOf(createBody({ labels: labels.map((_, at) => at % 2) })), 'create');
    if (read.ok) throw new Error('the body was accepted');
    const { message, field, details, alternatives } = read.error;
    expect(details.errors).toHaveLength(1);
    expect(field).toBe('labels');
    for (const words of ['12 of the 12', 'number 0', 'Send each as a text, such as "0"'])
      expect(message).toContain(words);
    expect(alternatives).toEqual([{ labels: labels.map((_, at) => String(at % 2)) }]);
  });

  it('of trials that no method can read is one sentence, with the reasons in details', () => {
    const plan = {
      description: 'left or right hand',
      trialsPerClass: { left: 6, right: 6 },
      channelNames: ['C3'],
      sourceRateHz: 256,
      samples: 1,
      seconds: 1 / 256,
      sessions: 1,
      storedFeaturesOnly: false,
      missingChannels: 'nearest',
    } as const;
    let error: ApiError | null = null;
    try {
      planFit(plan);
    } catch (thrown) {
      error = thrown as ApiError;
    }
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', field: 'x' });
    expect(error!.message.length).toBeLessThan(200);
    expect((error!.details['skipped'] as object[]).length).toBeGreaterThan(10);
    expectReadable(error!);
  });

  it('of a body that is one byte too large gives both sizes in bytes', async () => {
    const options = {
      expected: null,
      limit: 9,
      pace: { bytesPerSecond: 1e9, patienceSeconds: 10 },
      room: () => undefined,
    };
    await expect(collect(Readable.from([Buffer.alloc(10)]), options)).rejects.toThrow(
      'more than 9 bytes; at most 9 bytes',
    );
  });

  it('has details.errors with every INVALID_REQUEST, wherever it is made', () => {
    const { details } = errorBody(
      new ApiError('INVALID_REQUEST', 'No.', { field: 'x', alternatives: [{ x: 1 }] }),
      'req_1',
    );
    expect(details).toEqual({
      request_id: 'req_1',
      errors: [{ field: 'x', message: 'No.', alternatives: [{ x: 1 }] }],
    });
  });
});

describe('a quotation in a message', () => {
  it('is cut to whole characters with an ellipsis, and unprintable characters are escaped', () => {
    expect(brief('short')).toBe('short');
    expect(brief('𝄞'.repeat(100), 10)).toBe(`${'𝄞'.repeat(9)}…`);
    expect(Array.from(brief('x'.repeat(1e6)))).toHaveLength(80);
    expect(quoted('a\u0000b')).toBe(String.raw`"a\u0000b"`);
  });
});
