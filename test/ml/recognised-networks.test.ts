import { beforeEach, describe, expect, it } from 'vitest';
import { priorFor } from '../../activities/compute/reference-fit-prior.ts';
import { decode, encode } from '../../infra/drivers/codec.ts';
import { reasonWords } from '../../clients/dashboard/charts/reason-words.ts';
import { movementCard } from '../../ml/encoders/movement/index.ts';
import { extractFeatures, loudnessSet } from '../../ml/features/index.ts';
import { othersLost } from '../../ml/methods/others-lost.ts';
import { fitReference } from '../../ml/reference-fits/fit.ts';
import { withoutRecognised } from '../../ml/reference-fits/without-recognised.ts';
import { fitWinner, planFolds, predictFeatures, scoreCandidate, trainingData } from '../../ml/train/index.ts';
import type { FittedModel, TrainingData } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { provideStandInMovement, standInMovement } from '../support/stand-in-movement.ts';
import {
  classes,
  electrodes,
  simulatedName as nameOf,
  simulatedPeople,
  simulatedSketches,
  simulatedTrials,
  untrainedSeed,
} from './reference-people.ts';

/** The fold of each simulated person, by seed from 1; −1: a person on whom no network was trained. */
const foldOf = (seed: number): number => movementCard.folds.findIndex((fold) => fold.includes(nameOf(seed)));

const sketches = simulatedSketches();
const people = simulatedPeople(12, 0.5, 'motor').map((person, i) => ({ ...person, person: nameOf(i + 1) }));
const fit = fitReference(
  people,
  { kind: 'motor', classes },
  { channelNames: electrodes, seconds: 2, sourceRateHz: 128 },
);
const bytes = encode({ format: 1, ...fit });
const sets = ['cov/8-32', `movement/${standInMovement}/bank`, loudnessSet];
const network = { head: 'left_right_imagined', positive: 1 } as const;

/** Trials of people, a session each, without anything that was learned from them. `prior`: with one of 12 people. */
function comparedOf(seeds: readonly number[], prior = false): { data: TrainingData; warning: string } {
  const each = seeds.map((seed) => simulatedTrials(seed, 0.5, 'motor'));
  const data = Float32Array.from(each.flatMap(({ trials }) => [...trials.data]));
  const trials: Trials = { ...each[0]!.trials, data, trials: each.reduce((sum, own) => sum + own.trials.trials, 0) };
  const labels = each.flatMap(({ labels: own }) => own.map((label) => classes[label]!));
  const sessions = each.flatMap(({ labels: own }, s) => own.map(() => `session ${s}`));
  const own = trainingData(extractFeatures(trials, sets), labels, sessions, { kind: 'motor', network });
  const reference = prior ? { reference: priorFor({ bytes, classes }, classes) } : {};
  const compared = withoutRecognised({ ...own, ...reference });
  return { data: compared.data, warning: compared.warnings.join(' ') };
}

provideStandInMovement(undefined, sketches);
const { features: later } = comparedOf([301]).data;

/** The model of a method that is chosen on the data, as it is stored and read again. */
function modelOf(data: TrainingData, method = 'movement-network'): FittedModel {
  const { version, temperature } = scoreCandidate(method, data, planFolds(data));
  return decode<FittedModel>(encode(fitWinner({ method, version, temperature, explanation: '' }, data)));
}

/** What it answers about other trials. */
const answersOf = (data: TrainingData, method?: string): number[] => [
  ...predictFeatures(modelOf(data, method), later, { align: 'none' }),
];

/** What it answers if all networks are copies of one. */
function answersOfCopies(n: number, data: TrainingData, method?: string): number[] {
  provideStandInMovement(n, sketches);
  const { networks: _, ...all } = data;
  const answers = answersOf(all, method);
  provideStandInMovement(undefined, sketches);
  return answers;
}

const expectAnswers = (answers: readonly number[], expected: readonly number[]): void =>
  answers.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 6));

beforeEach(() => provideStandInMovement(undefined, sketches));

describe('trials of a person on whom the networks were trained', () => {
  it.each(['movement-network', 'movement-tangent', 'movement-features-logistic'])(
    'are scored and answered by the network of the fold alone, %s',
    (method) => {
      for (const seed of [2, 3]) {
        const { data, warning } = comparedOf([seed]);
        expect(warning).toContain(`(${nameOf(seed)})`);
        expect(warning).toContain('tried with 1 of its 5 networks');
        const answers = answersOf(data, method);
        if (method !== 'movement-features-logistic')
          expectAnswers(answers, answersOfCopies(foldOf(seed), data, method));
        const { networks: _, ...all } = data;
        expect(answers).not.toEqual(answersOf(all, method));
        const [scored, byAll] = [data, all].map((each) => scoreCandidate(method, each, planFolds(each)));
        expect(scored!.status).toBe('scored');
        expect(scored!.outOfFold).not.toEqual(byAll!.outOfFold);
      }
    },
  );

  it('are read by no network if the sketches of these people cannot be used', () => {
    provideStandInMovement(undefined, new Uint8Array(8));
    const { data, warning } = comparedOf([2]);
    provideStandInMovement(undefined, sketches);
    expect(warning).toBe('');
    const reason = othersLost('movement-tangent', data)!;
    expect(reason).toContain('the file for that cannot be used');
    expect(reasonWords(reason)).toContain('operator');
    const score = scoreCandidate('movement-network', data, planFolds(data));
    expect(score).toMatchObject({ status: 'failed', reason });
  });

  it('are answered by the same network as those of others of the fold', () => {
    const { data, warning } = comparedOf([2, 8], true);
    expect(warning).toContain(`${nameOf(2)}, ${nameOf(8)}`);
    expect(data.reference, 'they are of two groups of the prior').toBeUndefined();
    expectAnswers(answersOf(data), answersOfCopies(foldOf(2), data));
  });

  it('leave no network beside those of another fold, and the report says why', () => {
    const { data, warning } = comparedOf([2, 3]);
    expect(warning).toContain('each of its 5 networks learned from one of these people');
    for (const id of ['movement-network', 'movement-tangent', 'movement-features-logistic', 'movement-average']) {
      const reason = othersLost(id, data)!;
      expect(reason).toContain(`${nameOf(2)}, ${nameOf(3)}`);
      expect(reasonWords(reason)).toContain('Your trials look like those of the people its networks learned from');
    }
    expect(othersLost('tangent-tuned', data)).toBeNull();
    const { status, reason } = scoreCandidate('movement-network', data, planFolds(data));
    expect([status, reason]).toEqual(['failed', data.networksLost]);
  });
});

describe('trials of others', () => {
  it.each([
    ['who are not recognised', 201],
    ['who are recognised and trained no network', untrainedSeed],
  ])('%s are answered by all networks', (_, seed) => {
    const { data, warning } = comparedOf([seed], true);
    expect(warning.includes(nameOf(untrainedSeed))).toBe(seed === untrainedSeed);
    expect(warning).not.toContain('network');
    expect(modelOf(data).head['representation']).not.toHaveProperty('networks');
    expect(answersOf(data)).not.toEqual(answersOfCopies(0, data));
  });
});
