import { expect, it } from 'vitest';
import { mergeRepresentations } from '../../api/predict/merge-representations.ts';
import type { FittedModel } from '../../ml/train/index.ts';

const head = (whitener: number, weight: number) => ({
  representation: { set: 'cov/8-32', p: 2, whiteners: Float64Array.of(whitener, 0, 0, 1) },
  classifier: { weights: Float64Array.of(weight) },
});
const stored = (members: readonly object[]): FittedModel =>
  ({ method: { id: 'pool' }, members: members.map((_, at) => ({ id: String(at) })), head: { members } }) as never;

it('the members of a stored pool share equal representations, and keep their own parts', () => {
  const model = stored([head(1, 5), head(1, 6), head(2, 7), { centre: Float64Array.of(1) }]);
  const shared = mergeRepresentations(model);
  expect(shared).toEqual(model);
  const [first, second, third] = shared.head['members'] as unknown as ReturnType<typeof head>[];
  expect(second.representation).toBe(first.representation);
  expect(third.representation).not.toBe(first.representation);
  expect(second.classifier).not.toBe(first.classifier);
});

it('a model of one method is unchanged', () => {
  const model = { method: { id: 'mdm' }, head: head(1, 5) } as never;
  expect(mergeRepresentations(model)).toBe(model);
});
