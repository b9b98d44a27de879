import { expect, test } from 'vitest';
import { gatherEvidence, pick } from '../../ml/evidence/selection.ts';
import { fitTemperature } from '../../ml/evidence/temperature.ts';
import { trialWeights } from '../../ml/evidence/trial-weights.ts';
import type { Prior } from '../../ml/evidence/types.ts';
import { methods } from '../../ml/methods/index.ts';
import { createRandom } from '../../ml/random.ts';
import { gaussian } from './augmentations.ts';
import { measured } from '../../ml/select/priors/measured.ts';
import { priorOf } from '../../ml/select/priors/prior.ts';
import type { MeasuredCell } from '../../ml/select/priors/measured.ts';

const plan = { validation: 'stratified', folds: [], evidencePasses: 1, passes: 1, groups: null, inner: [] } as const;

/** How often of 100 people the better of two methods is picked, by so many own trials and these prior means. */
function shareOfBetter(trials: number, better: number, worse: number): number {
  const prior = (mean: number): Prior => ({ mean, sd: 0.05, people: 50 });
  const labels = Int32Array.from({ length: trials }, (_, i) => i % 2);
  let right = 0;
  for (let person = 0; person < 100; person += 1) {
    const normal = gaussian(createRandom(1 + person));
    const of = (separation: number, mean: number) => {
      const outOfFold = new Float64Array(2 * trials);
      labels.forEach((label, i) => (outOfFold[2 * i + label] = separation * (separation + normal())));
      const score = { outOfFold, prior: prior(mean), nested: null, ...fitTemperature(outOfFold, labels, 2) };
      return gatherEvidence(score as never, labels, 2, plan as never);
    };
    right += Number(pick([of(1, better), of(0.6, worse)], trialWeights(labels, 2, null)).index === 0);
  }
  return right / 100;
}

const counts = [15, 30, 60, 120, 240, 480];

test('a wrong prior fades: with more own trials the better method is chosen', () => {
  const wrong = counts.map((trials) => shareOfBetter(trials, 0.15, 0));
  expect(wrong[0]).toBeLessThan(0.5);
  expect(wrong.at(-1)).toBeGreaterThan(0.95);
  wrong.slice(1).forEach((share, i) => expect(share).toBeGreaterThanOrEqual(wrong[i]! - 0.05));
});

test('with few own trials a right prior chooses better than none, and never worse with many', () => {
  const [without, right] = [0, 0.15].map((gap) => counts.map((trials) => shareOfBetter(trials, 0, gap)));
  expect(right![0]).toBeGreaterThan(without![0]! + 0.1);
  right!.forEach((share, i) => expect(share).toBeGreaterThanOrEqual(without![i]!));
});

const cell = (over: Partial<MeasuredCell>): MeasuredCell => ({
  kind: 'motor',
  flicker: false,
  trials: 30,
  channels: 16,
  people: 40,
  spread: 0.04,
  methods: { 'tangent-logistic': { behind: 0.1, balancedAccuracy: 0.6 } },
  ...over,
});
const shape = { kind: 'motor', trials: 30, channels: 16, flicker: false } as const;

test('a prior is that of the nearest number of trials and channels, and wider the further it was measured', () => {
  const far = { 'tangent-logistic': { behind: 0.3, balancedAccuracy: 0.6 } };
  const cells = [cell({}), cell({ trials: 240, methods: far }), cell({ kind: 'erp', methods: far })];
  const of = (trials: number) => priorOf('tangent-logistic', { ...shape, trials }, cells);
  expect(of(30)).toMatchObject({ mean: 0.1, people: 40 });
  expect(of(50).mean).toBe(0.1);
  expect(of(50).sd).toBeGreaterThan(of(30).sd);
  expect(of(1_000).mean).toBe(0.3);
});

test('a method that was not measured has its published figure, on the scale of the measured ones', () => {
  const difference = (cells: readonly MeasuredCell[]): number =>
    priorOf('csp-lda', shape, cells).mean - priorOf('tangent-logistic', shape, cells).mean;
  expect(priorOf('csp-lda', shape, [cell({})])).toMatchObject({ people: 0 });
  expect(difference([cell({})])).toBeCloseTo(difference([]), 9);
  expect(priorOf('csp-lda', shape, [cell({})]).sd).toBeGreaterThan(priorOf('tangent-logistic', shape, [cell({})]).sd);
});

test('the measured table names methods of the registry, of five people at least, and every method has a prior', () => {
  const ids = new Set(methods.map(({ id }) => id));
  for (const { people, methods: own } of measured) {
    expect(people).toBeGreaterThanOrEqual(5);
    for (const id of Object.keys(own)) expect(ids).toContain(id);
  }
  expect(new Set(measured.map(({ kind, flicker }) => `${kind} ${flicker}`)).size).toBeGreaterThanOrEqual(2);
  for (const { id, kinds } of methods)
    for (const kind of kinds) {
      const { mean, sd } = priorOf(id, { kind, trials: 40, channels: 21, flicker: false });
      expect(Number.isFinite(mean) && sd > 0).toBe(true);
    }
});

test('the choice that is repeated without a fold has the same prior', () => {
  const labels = Int32Array.from({ length: 12 }, (_, i) => i % 2);
  const outOfFold = Float64Array.from({ length: 24 }, (_, i) => Number(labels[i >> 1] === (i & 1)));
  const nested = outOfFold.slice();
  nested.fill(Number.NaN, 0, 4);
  const prior = { mean: 0.2, sd: 0.05, people: 9 };
  const evidence = gatherEvidence({ outOfFold, nested, prior, temperature: 1 } as never, labels, 2, plan as never);
  expect(evidence.inner.map((own) => own.prior)).toEqual([prior]);
});
