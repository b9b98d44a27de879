import { describe, expect, it } from 'vitest';
import { requireAnswerable } from '../../api/use-cases/answer-size.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { ApiError } from '../../infra/contract/errors.ts';

const long = (name: string) => name.repeat(200 / Array.from(name).length);
/** Bytes of one element of `data` where every number is as long as JSON writes one. */
const rendered = (classes: readonly string[], probability: number): number =>
  Buffer.byteLength(
    JSON.stringify({
      object: 'classification',
      index: 4095,
      label: classes.toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a))[0],
      probabilities: Object.fromEntries(classes.map((name) => [name, probability])),
    }),
  ) + 1;

describe('the size of a prediction list', () => {
  it.each([
    ['two short names', ['left', 'right']],
    ['names of quotes and letters of four bytes', [long('"'), long('𝄞'), 'a']],
    ['fifty names', Array.from({ length: 50 }, (_, at) => `${long('ä').slice(3)}${at}`)],
  ])('is at most what is reckoned with for %s', (_what, classes) => {
    for (const probability of [1.1e-6 / 0.9, 1.1e-300 / 0.9, 0.11 / 0.9]) {
      const one = requireAnswerable(2, classes) - requireAnswerable(1, classes);
      expect(rendered(classes, probability)).toBeLessThanOrEqual(one);
    }
  });

  it('is bounded: the refusal says how many trials fit, and that many are accepted', () => {
    const classes = Array.from({ length: 64 }, (_, at) => `${long('𝄞').slice(4)}${at}`);
    let error: ApiError | null = null;
    try {
      requireAnswerable(4096, classes);
    } catch (thrown) {
      error = thrown as ApiError;
    }
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413, field: 'x' });
    const fitting = error!.details['trials_that_fit'] as number;
    expect(error!.message).toContain(`at most ${fitting} trials`);
    expect(requireAnswerable(fitting, classes)).toBeLessThanOrEqual(limits.answerBytes);
    expect(() => requireAnswerable(fitting + 1, classes)).toThrow('could have');
  });
});
