import { describe, expect, it } from 'vitest';
import { priorFor } from '../../activities/compute/reference-fit-prior.ts';
import { encode } from '../../infra/drivers/codec.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { fitReference } from '../../ml/reference-fits/fit.ts';
import { withoutRecognised } from '../../ml/reference-fits/without-recognised.ts';
import { trainingData } from '../../ml/train/index.ts';
import type { TaskKind, Trials } from '../../ml/types.ts';
import { classes, electrodes, simulatedPeople, simulatedTrials } from './reference-people.ts';

/** Ten people are ten groups; of twelve, the first and the eleventh are one group. */
const fits = Object.fromEntries(
  (['motor', 'erp'] as const).map((kind) => [
    kind,
    fitReference(
      simulatedPeople(12, 0.5, kind),
      { kind, classes },
      { channelNames: electrodes, seconds: kind === 'erp' ? 1 : 2, sourceRateHz: 128 },
    ),
  ]),
);
const sets = { motor: 'cov/8-32', erp: 'erp/windows' } as const;

/** Training data of the trials of some people, whose numbers are their seeds, with the prior of people 1 to 12. */
function dataOf(kind: keyof typeof sets, seeds: readonly number[], change: (value: number) => number = (x) => x) {
  const each = seeds.map((seed) => simulatedTrials(seed, 0.5, kind as TaskKind));
  const [{ trials: form }] = each;
  const data = Float32Array.from(each.flatMap(({ trials }) => Array.from(trials.data, change)));
  const trials: Trials = { ...form!, data, trials: each.reduce((sum, { trials: own }) => sum + own.trials, 0) };
  const labels = each.flatMap(({ labels: own }) => own.map((label) => classes[label]!));
  const sessions = each.flatMap(({ labels: own }, s) => own.map(() => `session ${s}`));
  const bytes = encode({ format: 1, ...fits[kind]! });
  return {
    ...trainingData(extractFeatures(trials, [sets[kind]]), labels, sessions, { kind }),
    reference: priorFor({ bytes, classes }, classes),
  };
}

describe.each(['motor', 'erp'] as const)('trials that are also recordings of the reference people, %s', (kind) => {
  const { prior } = fits[kind]!;

  it.each([
    ['as recorded', (x: number) => x],
    ['with another gain', (x: number) => 3 * x],
    ['with another sign', (x: number) => -x],
  ])('are recognised %s, and their person is left out of the prior', (name, change) => {
    if (kind === 'erp' && name === 'with another sign') return;
    for (const seed of [2, 5]) {
      const given = dataOf(kind, [seed], change);
      const { data, warnings } = withoutRecognised(given);
      expect(warnings).toEqual([expect.stringContaining(`(P${seed})`)]);
      const { known, ...own } = data.reference!;
      expect(known).toBeUndefined();
      expect(own.weights).toEqual(prior.known!.without[seed - 1]!.weights);
      expect(own.weights).not.toEqual(prior.weights);
      expect(own.people).toBeLessThan(prior.people);
    }
  });

  it('of one group of people are left out with the group', () => {
    const { data, warnings } = withoutRecognised(dataOf(kind, [11]));
    expect(warnings[0]).toContain('(P11)');
    expect(data.reference!.weights).toEqual(prior.known!.without[0]!.weights);
  });

  it('of several people leave no prior', () => {
    const { data, warnings } = withoutRecognised(dataOf(kind, [3, 4]));
    expect(warnings[0]).toMatch(/P3, P4.*were left out/);
    expect(data.reference).toBeUndefined();
    expect(data.referenceLost).toContain('your trials look like some of them');
  });

  it('of four people are recognised if they are sent as one recording', () => {
    const { warnings } = withoutRecognised({ ...dataOf(kind, [3, 4, 5, 6]), sessions: null });
    expect(warnings[0]).toContain('P3, P4, P5, P6');
  });

  it('are recognised in sessions of seven trials', () => {
    const given = dataOf(kind, [5]);
    const sessions = Int32Array.from(given.labels, (_, trial) => Math.floor(trial / 7));
    expect(withoutRecognised({ ...given, sessions }).warnings).toEqual([expect.stringContaining('(P5)')]);
  });

  it('of other people change nothing', () => {
    for (const seed of [201, 202, 203, 204, 205]) {
      const { data, warnings } = withoutRecognised(dataOf(kind, [seed]));
      expect(warnings).toEqual([]);
      expect(data.reference!.weights).toEqual(prior.weights);
      expect(data.reference!.known).toBeUndefined();
    }
  });
});
