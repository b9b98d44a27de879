import { describe, expect, it } from 'vitest';
import { trainingReport } from '../../infra/contract/training-report.ts';
import { matchTask } from '../../api/intake/match-task.ts';
import { decode, encode } from '../../infra/drivers/codec.ts';
import { currentReferencePins, missingPins } from '../../ml/pins/index.ts';
import { fitReference } from '../../ml/reference-fits/fit.ts';
import { longestTrial } from '../../ml/reference-fits/longest-trial.ts';
import { overPeople, student } from '../../ml/reference-fits/over-people.ts';
import { readShape, trialsOf } from '../../ml/reference-fits/people-trials.ts';
import { tooLong } from '../../ml/reference-fits/readings.ts';
import { strengthOf } from '../../ml/reference-fits/people-folds.ts';
import type { PersonVectors } from '../../ml/reference-fits/people-space.ts';
import type { PersonFeatures } from '../../ml/reference-fits/types.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import { predictTrials } from '../../ml/train/index.ts';
import { createRandom } from '../../ml/random.ts';
import type { Features, TaskKind } from '../../ml/types.ts';
import { classes, electrodes, simulatedPeople, simulatedTrials } from './reference-people.ts';

const shape = (kind: TaskKind, channelNames: readonly string[] = electrodes) => ({
  channelNames,
  seconds: kind === 'erp' ? 1 : 2,
  sourceRateHz: 128,
});

const accuracy = (model: FittedModel, trials: ReturnType<typeof simulatedTrials>, align: 'batch' | 'none'): number => {
  const told = predictTrials(model, trials.trials, { align });
  return trials.labels.filter((label, i) => told[2 * i + label] > 0.5).length / trials.labels.length;
};

describe.each(['motor', 'other', 'erp'] as const)('people of a task of kind %s', (kind) => {
  const task = { kind, classes };
  const fit = fitReference(simulatedPeople(8, 1, kind), task, shape(kind));

  it('give a model that classifies left-out people as well as the evidence says', () => {
    const { balancedAccuracy, interval95, lowerBound, quartiles, people, trials } = fit.evidence;
    expect([people, trials]).toEqual([8, 8 * 24]);
    expect(balancedAccuracy).toBeGreaterThan(0.75);
    expect(lowerBound).toBeGreaterThan(0.5);
    expect(quartiles[0]).toBeLessThanOrEqual(quartiles[2]);
    const model = decode<FittedModel>(encode(fit.model));
    const others = [101, 102, 103].map((seed) => accuracy(model, simulatedTrials(seed, 1, kind), 'batch'));
    expect(Math.max(...others)).toBeGreaterThan(interval95[0] - 0.1);
    expect(others.reduce((a, b) => a + b) / 3).toBeGreaterThan(0.7);
    expect(missingPins(fit.pins)).toEqual([]);
    expect(currentReferencePins()).toEqual(expect.arrayContaining([...fit.pins]));
  });

  it('has a training report of the usual form', () => {
    const report = trainingReport.parse(JSON.parse(JSON.stringify(fit.report)));
    expect(report.balanced_accuracy).toBeCloseTo(fit.evidence.balancedAccuracy, 3);
    expect(report).toMatchObject({ chance: 0.5, corrected: null, forecast: null, p_value: null, learning_curve: [] });
    const recentred = kind === 'erp' ? 'Nothing is recentred' : 'recentred as a whole';
    expect(fit.evidence.notes.join(' ')).toContain(recentred);
    expect(report.validation.description.includes('recentred')).toBe(kind !== 'erp');
    expect([report.validation.kind, report.reference?.people]).toEqual(['people', 8]);
    expect(report.validation.folds).toBe(8);
  });
});

it('is as confident for a single trial as single trials of left-out people allow', () => {
  const { model, report } = fitReference(simulatedPeople(8, 0.6, 'motor'), { kind: 'motor', classes }, shape('motor'));
  const { temperatureAlone, ...without } = model;
  const loss = (of: FittedModel, align: 'batch' | 'none'): number => {
    const losses = [101, 102, 103, 104, 105, 106].flatMap((seed) => {
      const { trials, labels } = simulatedTrials(seed, 0.6, 'motor');
      const told = predictTrials(of, trials, { align });
      return labels.map((label, i) => -Math.log(told[2 * i + label]));
    });
    return losses.reduce((a, b) => a + b) / losses.length;
  };
  expect(temperatureAlone).toBeGreaterThan(1.2 * model.temperature);
  expect(loss(model, 'none')).toBeLessThan(loss(without, 'none') - 0.02);
  expect(loss(model, 'batch')).toBe(loss(without, 'batch'));
  const told = trainingReport.parse(report);
  const { log_loss_unaligned, calibration_error_unaligned, temperature_unaligned } = told.reference!;
  expect(temperature_unaligned).toBeCloseTo(temperatureAlone!, 3);
  expect(log_loss_unaligned).toBeGreaterThan(told.log_loss!);
  expect(calibration_error_unaligned).toBeGreaterThan(0);
});

it('shrinks covariances for the trial length that was read, however long the trials of the caller are', () => {
  const task = { kind: 'motor', classes } as const;
  const people = simulatedPeople(1, 1, 'motor', 4);
  const [same, longer] = [2, 30].map((seconds) => {
    const read = readShape(electrodes, 4, task, { ...shape('motor'), seconds });
    return [read.seconds, trialsOf(people[0]!, task, read).values];
  });
  expect(longer).toEqual(same);
});

it('finds nothing in people whose classes do not differ', () => {
  const { evidence } = fitReference(simulatedPeople(8, 0, 'motor'), { kind: 'motor', classes }, shape('motor'));
  expect(evidence.lowerBound).toBeLessThan(0.5);
  expect(evidence.warnings).toEqual([expect.stringContaining('is not above chance (0.500)')]);
  expect(evidence.notes.join(' ')).toContain('up to 24 trials and equally frequent classes');
});

it.each(['motor', 'erp'] as const)('reads nothing in channels that the recordings do not have (%s)', (kind) => {
  const names = ['C3', 'Fz', 'Cz', 'C4'];
  const fit = fitReference(simulatedPeople(6, 1, kind), { kind, classes }, shape(kind, names));
  expect([fit.evidence.read, fit.evidence.notRead]).toEqual([['C3', 'Cz', 'C4'], ['Fz']]);
  expect(fit.evidence.notes.join(' ')).toContain(
    '1 of your 4 channels are not in the recordings and are not read: Fz.',
  );
  const sent = simulatedTrials(101, 1, kind, names);
  const { data, samples } = sent.trials;
  const other = data.map((value, i) => (Math.floor(i / samples) % 4 === 1 ? 7 * value + i : value));
  for (const align of ['none', 'batch'] as const)
    expect(predictTrials(fit.model, { ...sent.trials, data: other }, { align })).toEqual(
      predictTrials(fit.model, sent.trials, { align }),
    );
});

it('cuts long stretches of a task of no named kind into trials of the requested length', () => {
  const span = (person: PersonFeatures): PersonFeatures => {
    const count = person.classIds.length;
    const rows = [0, 1].flatMap((k) => Array.from({ length: count }, (_, i) => i).filter((i) => i % 2 === k));
    const width = person.values.length / person.first.at(-1)!;
    const parts = rows.map((i) => person.values.subarray(person.first[i]! * width, person.first[i + 1]! * width));
    const values = new Float32Array(person.values.length);
    let at = 0;
    for (const part of parts) {
      values.set(part, at);
      at += part.length;
    }
    const all = person.first.at(-1)!;
    return { ...person, classIds: classes, runs: ['01', '02'], first: Int32Array.of(0, all / 2, all), values };
  };
  const people = simulatedPeople(6, 1, 'other').map(span);
  const { evidence } = fitReference(people, { kind: 'other', classes }, { ...shape('other'), seconds: 3.1 });
  expect([evidence.people, evidence.seconds, evidence.trials]).toEqual([6, 3, 6 * 16]);
  expect(evidence.balancedAccuracy).toBeGreaterThan(0.75);
  expect(evidence.notes.join(' ')).toContain('were read 3 s long; yours of 3.1 s are read whole: send the part');
  const long = fitReference(people, { kind: 'other', classes }, { ...shape('other'), seconds: 60 });
  expect([long.evidence.seconds, long.evidence.trials]).toEqual([24, 12]);
});

it('does not depend on the order of the people, with trials of the length that most of them have for every class', () => {
  const people = simulatedPeople(6, 1, 'motor', 12);
  const [usual, ...others] = people;
  const short = { ...usual!, first: usual!.first.map((at, s) => (s % 2 ? at - 2 : at)) };
  const task = { kind: 'motor', classes } as const;
  const orders = [
    [short, ...others],
    [...others, short],
  ];
  const fits = orders.map((own) => fitReference(own, task, { ...shape('motor'), seconds: 9 }).evidence);
  expect(fits.map(({ seconds }) => seconds)).toEqual([2, 2]);
  const rare = { ...usual!, classIds: usual!.classIds.map(() => 'left') };
  expect(longestTrial([short, others[0]!, others[1]!, rare, rare], task)).toBe(4);
  expect([longestTrial([short], task), longestTrial([rare], task)]).toEqual([2, 1]);
});

it('gives the reason if trials cannot be read', () => {
  const people = simulatedPeople(4, 1, 'motor', 8);
  const task = { kind: 'motor', classes } as const;
  const own = shape('motor');
  expect(() => fitReference(people, task, { ...own, channelNames: ['Fz', 'C3'] })).toThrow(
    'needs at least 2 channels that the recordings have too; 1 of 2 are',
  );
  expect(() => fitReference(people, task, { ...own, sourceRateHz: 64 })).toThrow(
    'needs a sampling rate of at least 72 Hz to hold 32 Hz; 64 Hz declared',
  );
  const evoked = { kind: 'erp', classes } as const;
  expect(() => fitReference(simulatedPeople(3, 1, 'erp'), evoked, { ...shape('erp'), seconds: 2 })).toThrow(
    'This shape of trials needs trials of at most 1 s; 2 s declared.',
  );
  const speller = { description: 'P300 speller', classes: ['target', 'non-target'] };
  expect(matchTask({ ...speller, shape: { ...shape('erp'), seconds: 2 } }).unreadable?.reason).toBe(
    'needs trials of at most 1 s; 2 s declared',
  );
  expect(matchTask({ ...speller, shape: shape('erp'), baselineSeconds: 0.2 }).unreadable?.reason).toBe(
    'needs trials that begin at the cue, as those of other people do; these begin 0.2 s before it',
  );
  expect([tooLong('erp', 1, 1.02), tooLong('motor', 4, 60)]).toEqual([null, null]);
  expect(() => fitReference(people, task, { ...own, seconds: 1e-4 })).toThrow('needs trials of at least 0.5 s');
  expect(() => fitReference(people, task, own)).toThrow('4 of 4 people have trials of every class; 5');
});

it.each(['motor', 'erp'] as const)('learns nothing from trials of artefacts, and scores them (%s)', (kind) => {
  const [loud, times] = [[3, 8, 20], kind === 'erp' ? 100 : 1e4];
  const among = (person: PersonFeatures, table: Float32Array, times: number): Float32Array => {
    const width = table.length / person.first.at(-1)!;
    const restless = (at: number): boolean =>
      loud.some((t) => at >= person.first[t]! * width && at < person.first[t + 1]! * width);
    return table.map((value, at) => (restless(at) ? times : 1) * value);
  };
  const people = simulatedPeople(6, 1, kind).map((person) => ({
    ...person,
    values: among(person, person.values, times),
    steps: among(person, person.steps, 1e4),
  }));
  const without = people.map((person) => ({
    ...person,
    classIds: person.classIds.map((id, t) => (loud.includes(t) ? 'neither' : id)),
  }));
  const [all, some] = [people, without].map((own) => fitReference(own, { kind, classes }, shape(kind)));
  const direction = ({ prior: { weights } }: typeof all) => weights.map((value) => value / Math.hypot(...weights));
  direction(all).forEach((value, j) => expect(value).toBeCloseTo(direction(some)[j]!, 9));
  expect(all.model.centres).toEqual(some.model.centres);
  expect([all.evidence.trials, some.evidence.trials]).toEqual([6 * 24, 6 * 21]);
  expect(all.evidence.notes.join(' ')).toContain('In 18 of their trials an artefact outweighs the EEG');
});

it.each(['motor', 'erp'] as const)('learns nothing from a person of other units, and scores them (%s)', (kind) => {
  const [first, ...others] = simulatedPeople(6, 1, kind, 12);
  const times = 1e6;
  const apart = {
    ...first!,
    values: first!.values.map((value) => (kind === 'erp' ? Math.sqrt(times) : times) * value),
    steps: first!.steps.map((value) => times * value),
  };
  const [all, some] = [[apart, ...others], others].map((own) => fitReference(own, { kind, classes }, shape(kind)));
  all!.prior.weights.forEach((value, j) => expect(value).toBeCloseTo(some!.prior.weights[j]!, 9));
  expect([all!.prior.people, all!.evidence.people, some!.evidence.people]).toEqual([5, 6, 5]);
  expect(all!.evidence.notes.join(' ')).toContain('The recordings of P1 move far more than those of all others');
});

it('reports how many people lack trials of a class', () => {
  const people = simulatedPeople(6, 1, 'motor', 8);
  const one = { ...people[5]!, classIds: people[5]!.classIds.map(() => 'left') };
  const { evidence } = fitReference([...people.slice(0, 5), one], { kind: 'motor', classes }, shape('motor'));
  expect([evidence.people, evidence.notes.join(' ')]).toEqual([5, expect.stringContaining('1 people more have no')]);
});

it('measures the differences between people even if each of their runs has one class', () => {
  const random = createRandom(3);
  const labels = Int32Array.from({ length: 40 }, (_, i) => Number(i >= 20));
  const person = (size: number, count = 40): PersonVectors => {
    const own = labels.filter((_, i) => i % (40 / count) === 0);
    const vectors = Float64Array.from({ length: 2 * count }, (_, i) => size * (random() - 0.5 + own[i >> 1]!));
    const learned = Int32Array.from(own.keys());
    return {
      person: 'P',
      labels: own,
      learned,
      level: 0,
      values: vectors,
      vectors,
      logCentre: null,
      features: {} as Features,
    };
  };
  const nothing = { weights: new Float64Array(4), bias: new Float64Array(2) };
  const of = (...people: PersonVectors[]) =>
    strengthOf(
      people,
      people.map(() => nothing),
      2,
    );
  const measured = of(person(1), person(1));
  expect(of(person(1, 2), person(1, 2))).toBe(0.1);
  expect(measured).toBeGreaterThan(0.1);
  expect(of(person(9), person(9)) / measured).toBeGreaterThan(0.3);
});

it('measures no difference between people just because one class is rarer', () => {
  const random = createRandom(5);
  const labels = Int32Array.from({ length: 24 }, (_, i) => Number(i % 6 === 0));
  const people = Array.from({ length: 8 }, (): PersonVectors => {
    const vectors = Float64Array.from({ length: 24 * 30 }, () => random() - 0.5);
    const learned = Int32Array.from(labels.keys());
    return {
      person: 'P',
      labels,
      learned,
      level: 0,
      values: vectors,
      vectors,
      logCentre: null,
      features: {} as Features,
    };
  });
  const nothing = { weights: new Float64Array(60), bias: new Float64Array(2) };
  const heads = people.map(() => nothing);
  expect(strengthOf(people, heads, 2)).toBeLessThan(0.1);
});

it("uses Student's quantiles over people, and never an interval narrower than the number of trials allows", () => {
  expect(student(1.959964, 4)).toBeCloseTo(2.776, 1);
  expect(student(1.644854, 59)).toBeCloseTo(1.6711, 4);
  const { mean, interval95, onePerson95, lowerBound } = overPeople([0.5, 0.7, 0.9, 0.7, 0.7], 200, 'moments');
  const error = Math.sqrt(0.02 / 5);
  expect(mean).toBeCloseTo(0.7, 6);
  expect(interval95[0]).toBeCloseTo(0.7 - 2.776 * error, 2);
  expect(interval95[0]).toBeLessThan(lowerBound);
  expect(onePerson95[0]).toBeCloseTo(0.7 - 2.776 * error * Math.sqrt(6), 1);
  expect(onePerson95[1]).toBe(1);
  expect(lowerBound).toBeCloseTo(0.7 - 2.132 * error, 2);
  expect(overPeople([1, 1, 1, 1, 1], 50, 'moments').lowerBound).toBeLessThan(0.97);
});

it.each([
  ['means', 500, 8, 20],
  ['moments', 200, 60, 60],
] as const)('clears chance by luck in at most one of twenty studies: %s', (kind, studies, fewest, most) => {
  const random = createRandom(60);
  const [trials, dimension] = [24, 60];
  const noise = (): Float64Array => {
    const x = new Float64Array(trials * dimension);
    for (let at = 0; at < x.length; at += 1) x[at] = random() - 0.5;
    return x;
  };
  const differs = (x: Float64Array): Float64Array => {
    const sum = new Float64Array(dimension);
    for (let t = 0; t < trials; t += 1)
      for (let j = 0; j < dimension; j += 1) sum[j] += (t % 2 ? 1 : -1) * x[t * dimension + j];
    return sum;
  };
  const found = Array.from({ length: studies }, (_, study) => {
    const n = fewest + (study % (most - fewest + 1));
    const people = Array.from({ length: n }, noise);
    const taught = people.map(differs);
    const all = taught.reduce((sum, own) => sum.map((value, j) => value + own[j]));
    const scores = people.map((x, i) => {
      let right = 0;
      for (let t = 0; t < trials; t += 1) {
        let side = 0;
        for (let j = 0; j < dimension; j += 1) side += (all[j] - taught[i][j]) * x[t * dimension + j];
        if (side > 0 === (t % 2 === 1)) right += 1 / trials;
      }
      return right;
    });
    return overPeople(scores, n * trials, kind).lowerBound > 0.5;
  });
  expect(found.filter(Boolean).length / studies).toBeLessThan(0.055);
});
