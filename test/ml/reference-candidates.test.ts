import { expect, it } from 'vitest';
import { encode } from '../../infra/drivers/codec.ts';
import { priorFor, withReferencePrior } from '../../activities/compute/reference-fit-prior.ts';
import { extractFeatures, trialsAt } from '../../ml/features/index.ts';
import { fitReference } from '../../ml/reference-fits/fit.ts';
import { select } from '../../ml/select/index.ts';
import {
  chooseCandidate,
  createWorkspace,
  datasetShape,
  fitWinner,
  planFolds,
  predictFeatures,
  scoreCandidate,
  trainingData,
  type CandidateScore,
} from '../../ml/train/index.ts';
import type { ReferencePrior } from '../../ml/types.ts';
import { classes, electrodes, simulatedPeople, simulatedTrials } from './reference-people.ts';

const effect = 0.35;
const candidates = ['tangent-tuned', 'reference-prior', 'reference-ridge', 'reference-average'];
const fit = fitReference(
  simulatedPeople(10, effect, 'motor'),
  { kind: 'motor', classes },
  { channelNames: electrodes, seconds: 2, sourceRateHz: 128 },
);
const turned: ReferencePrior = {
  ...fit.prior,
  weights: fit.prior.weights.map((value) => -value),
  bias: fit.prior.bias.map((value) => -value),
};

/** Share of later trials that are recognised after a choice by `count` trials, with a prior or none. */
function later(seed: number, count: number, reference?: ReferencePrior): number {
  const { trials, labels } = simulatedTrials(seed, effect, 'motor', electrodes, 100);
  const rows = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, i) => from + i);
  const [known, unseen] = [rows(0, count), rows(count, 100)].map((some) =>
    extractFeatures(trialsAt(trials, some), ['cov/8-32']),
  );
  const names = labels.slice(0, count).map((label) => classes[label]!);
  const data = { ...trainingData(known!, names, null, { kind: 'motor' }), ...(reference ? { reference } : {}) };
  const plan = { ...planFolds(data), inner: [] };
  const workspace = createWorkspace();
  const scores = (reference ? candidates : candidates.slice(0, 1)).reduce<CandidateScore[]>(
    (earlier, id) => [...earlier, scoreCandidate(id, data, plan, workspace, earlier)],
    [],
  );
  expect(scores.every(({ status }) => status === 'scored')).toBe(true);
  const model = structuredClone(fitWinner(chooseCandidate(scores, data, plan), data, workspace));
  const told = predictFeatures(model, unseen!, { align: 'none' });
  return labels.slice(count).filter((label, i) => told[2 * i + label]! > 0.5).length / (100 - count);
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const people = [201, 202, 203];

it('helps with few trials, and does no harm if its classes are others', () => {
  const own = mean(people.map((seed) => later(seed, 12)));
  expect(mean(people.map((seed) => later(seed, 12, fit.prior)))).toBeGreaterThan(own + 0.03);
  const many = mean(people.map((seed) => later(seed, 40)));
  expect(mean(people.map((seed) => later(seed, 40, turned)))).toBeGreaterThan(many - 0.05);
});

it('is tried if there are other people, else gives the reason', () => {
  const { trials, labels } = simulatedTrials(1, 1, 'motor');
  const names = labels.map((label) => classes[label]!);
  const tried = (reference?: Parameters<typeof datasetShape>[3]['reference']) => {
    const shape = datasetShape(trials, names, null, { kind: 'motor', ...(reference ? { reference } : {}) });
    const { candidates: some, skipped } = select(shape);
    return {
      tried: some.map(({ id }) => id).filter((id) => id.startsWith('reference')),
      why: skipped.find(({ id }) => id === 'reference-ridge')?.reason,
    };
  };
  expect(tried(fit.prior).tried).toEqual(['reference-prior', 'reference-ridge', 'reference-average']);
  expect(tried()).toEqual({
    tried: [],
    why: 'needs recordings of other people of the same classes; no reference task matches the labels',
  });
  expect(tried({ reason: 'the reference recordings are not prepared' }).why).toBe(
    'the reference recordings are not prepared',
  );
});

it('joins the data of a job in the order of its classes, and is left out if the classes differ', () => {
  const { trials } = simulatedTrials(1, 1, 'motor');
  const bytes = encode({ format: 1, ...fit });
  const features = extractFeatures(trials, ['cov/8-32']);
  const labels = Array.from({ length: trials.trials }, (_, i) => (i % 2 ? 'a' : 'b'));
  const { reference } = withReferencePrior(trainingData(features, labels, null), { bytes, classes: ['right', 'left'] });
  const half = fit.prior.weights.length / 2;
  expect(reference?.classes).toEqual(['a', 'b']);
  expect(reference?.weights.subarray(0, half)).toEqual(fit.prior.weights.subarray(half));
  expect(() => priorFor({ bytes, classes: ['left', 'up'] }, ['a', 'b'])).toThrow(
    'Recordings of 2 classes cannot stand for these 2.',
  );
});

it('does not start from responses to a cue if the cue comes later in the own trials', () => {
  const { trials, labels } = simulatedTrials(1, 1, 'erp');
  const names = labels.map((label) => classes[label]!);
  const reference = { set: 'erp/windows', electrodes, people: 8 };
  const why = (baselineSeconds: number) =>
    select(datasetShape(trials, names, null, { kind: 'erp', reference, baselineSeconds })).skipped.find(
      ({ id }) => id === 'reference-prior-means',
    )?.reason;
  expect([why(0), why(0.2)]).toEqual([undefined, expect.stringContaining('these begin 0.2 s before it')]);
});

it('is no average if only the own trials can be read', () => {
  const { trials, labels } = simulatedTrials(1, 1, 'motor');
  const names = labels.map((label) => classes[label]!);
  const data = trainingData(extractFeatures(trials, ['cov/8-32']), names, null, { kind: 'motor' });
  const { status, reason } = scoreCandidate('reference-average', data, planFolds(data));
  expect([status, reason]).toEqual(['failed', expect.stringContaining('needs recordings of other people')]);
});
