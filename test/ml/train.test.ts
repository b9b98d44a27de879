import { describe, expect, test } from 'vitest';
import { extractFeatures } from '../../ml/features/index.ts';
import { select } from '../../ml/select/index.ts';
import {
  createWorkspace,
  datasetShape,
  planFolds,
  predictTrials,
  scoreCandidate,
  trainClassifier,
  trainingData,
} from '../../ml/train/index.ts';
import { pick, simulated } from './simulated.ts';

const few = ['tangent-logistic', 'tangent-ridge', 'csp-lda', 'log-power-logistic', 'windowed-means-ridge'];

describe('a whole create in process', () => {
  const sample = simulated({ count: 60, strength: 1 });
  const { model, report } = trainClassifier(sample.trials, sample.labels, sample.sessions, {
    kind: 'motor',
    candidates: few,
  });
  const body = report as Record<string, any>;

  test('shows the prior of each candidate beside its held-out score, and what both make of it', () => {
    const rows = body['methods'].filter((row: any) => row.status === 'scored' && row.id !== 'pool');
    expect(Math.min(...rows.map((row: any) => row.prior.log_loss_behind))).toBe(0);
    const gaps = rows.map((row: any) => row.expected_log_loss_behind).filter((gap: unknown) => gap !== null);
    expect(Math.min(...gaps)).toBe(0);
    expect(rows.every((row: any) => row.prior.sd > 0 && Number.isInteger(row.prior.people))).toBe(true);
    expect(body['methods'].find((row: any) => row.id === 'pool')).not.toHaveProperty('prior');
  });

  test('reports what the contract promises', () => {
    expect(body).toMatchObject({
      chance: 0.5,
      method: model.method.id,
      validation: { kind: 'sessions', held_out_sessions: [['first'], ['second']] },
    });
    expect(body.balanced_accuracy).toBeGreaterThan(0.8);
    expect(body.corrected.balanced_accuracy).toBeGreaterThan(0.75);
    expect(body.corrected.trials_per_class).toBe(30);
    expect(body.corrected.measured.trials_per_class).toBe(15);
    expect(body.corrected.explanation).toMatch(/leave 15 trials per class to train on, .* fitted on all 30/);
    expect(body.p_value).toBeLessThanOrEqual(0.01);
    expect(body.confusion_matrix.labels).toEqual(['class 0', 'class 1']);
    expect(body.confusion_matrix.counts.flat().reduce((a: number, b: number) => a + b)).toBeCloseTo(60);
    expect(body.methods.filter((row: any) => row.status === 'scored').map((row: any) => row.id)).toEqual([
      ...few,
      'pool',
    ]);
    expect(body.methods.filter((row: any) => row.status === 'skipped').every((row: any) => row.reason.length > 0)).toBe(
      true,
    );
    expect(body.temperature).toBeGreaterThanOrEqual(0.05);
    expect(body.learning_curve.length).toBe(6);
    expect(JSON.parse(JSON.stringify(body))).toEqual(body);
  });

  test('is not certain after few trials that were all correct', () => {
    const easy = simulated({ count: 24, strength: 6 });
    const options = { kind: 'motor', candidates: few.slice(0, 2) } as const;
    const told = trainClassifier(easy.trials, easy.labels, null, options).report as Record<string, any>;
    expect([told.balanced_accuracy, told.corrected.balanced_accuracy]).toEqual([1, 1]);
    expect(told.corrected.interval_95).toEqual([told.interval_95[0], 1]);
    expect(told.interval_95[0]).toBeLessThan(0.95);
  });

  test('gives the same evidence again, and nearly the same for any order of trials', () => {
    const again = trainClassifier(sample.trials, sample.labels, sample.sessions, { kind: 'motor', candidates: few })
      .report as Record<string, any>;
    expect(again.balanced_accuracy).toBe(body.balanced_accuracy);
    const turned = pick(sample, [...sample.labels.keys()].reverse());
    const other = trainClassifier(turned.trials, turned.labels, turned.sessions, {
      kind: 'motor',
      candidates: ['tangent-logistic'],
    });
    const same = trainClassifier(sample.trials, sample.labels, sample.sessions, {
      kind: 'motor',
      candidates: ['tangent-logistic'],
    });
    const a = predictTrials(same.model, sample.trials, { align: 'none' });
    const b = predictTrials(other.model, sample.trials, { align: 'none' });
    a.forEach((value, i) => expect(Math.abs(value - b[i]!)).toBeLessThan(0.02));
  });
});

test.each(few)('%s: a marker planted in test trials changes nothing for the other trials', (id) => {
  const sample = simulated({ count: 40 });
  const sets = ['cov/8-32', 'logpower', 'erp/windows'];
  const data = trainingData(extractFeatures(sample.trials, sets), sample.labels, null);
  const plan = planFolds(data);
  const fold = { ...plan, folds: [plan.folds[0]!], inner: [], passes: 1, evidencePasses: 1 };
  const held = plan.folds[0]!.test;
  const marked = sample.trials.data.slice();
  const size = sample.trials.channels * sample.trials.samples;
  const [first, ...others] = held;
  for (const row of others)
    for (let i = 0; i < size; i += 1)
      marked[row * size + i]! += (sample.labels[row] === 'class 0' ? 400 : -400) * Math.sin(i);
  const planted = trainingData(extractFeatures({ ...sample.trials, data: marked }, sets), sample.labels, null);
  const clean = scoreCandidate(id, data, fold, createWorkspace()).outOfFold.subarray(2 * first!, 2 * first! + 2);
  const dirty = scoreCandidate(id, planted, fold, createWorkspace()).outOfFold.subarray(2 * first!, 2 * first! + 2);
  expect([...dirty]).toEqual([...clean]);
});

describe('folds', () => {
  const features = extractFeatures(simulated({ count: 12, samples: 128 }).trials, ['logpower']);
  const plan = (labels: string[], sessions: string[] | null) =>
    planFolds(trainingData({ ...features, trials: labels.length }, labels, sessions));
  const two = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'a' : 'b'));

  test('hold out whole sessions where there are two or more', () => {
    const { validation, folds } = plan(
      two,
      two.map((_, i) => `s${Math.floor(i / 5)}`),
    );
    expect(validation).toBe('sessions');
    expect(folds.filter((fold) => fold.pass === 0).map((fold) => fold.heldOut)).toEqual([
      ['s0'],
      ['s1'],
      ['s2'],
      ['s3'],
    ]);
  });

  test('are drawn within sessions if a session has one class, with a warning', () => {
    const { validation, warnings } = plan(
      two,
      two.map((label) => `run of ${label}`),
    );
    expect(validation).toBe('within_sessions');
    expect(warnings[0]).toContain('2 of 2 sessions hold one class only');
    expect(warnings[1]).toMatch(/whatever differs between the sessions.*Neither a corrected score nor a p-value/);
  });

  test('hold out small sessions together, with a warning; every fit has two trials of each class', () => {
    const names = two.map((_, i) => (i === 19 ? 'one' : i > 16 ? 'two' : `s${i % 3}`));
    const { validation, folds, inner, groups, warnings } = plan(two, names);
    expect(validation).toBe('sessions');
    expect(folds.filter((fold) => fold.pass === 0).map((fold) => fold.heldOut)).toEqual([
      ['one', 's2', 'two'],
      ['s0'],
      ['s1'],
    ]);
    expect(warnings).toEqual([
      '2 of 5 sessions hold fewer than 5 trials (two, one): they are held out together with others.',
    ]);
    expect(new Set(groups).size).toBe(3);
    for (const { train } of [...folds, ...inner])
      for (const label of ['a', 'b']) expect([...train].filter((row) => two[row] === label).length).toBeGreaterThan(1);
    const each = plan(
      two,
      two.map((_, i) => `trial ${i}`),
    );
    expect([each.validation, each.folds.filter(({ pass }) => pass === 0).map(({ test: rows }) => rows.length)]).toEqual(
      ['sessions', [5, 5, 5, 5]],
    );
  });

  test('are drawn within sessions if all except one are tiny', () => {
    const many = Array.from({ length: 45 }, (_, i) => (i % 2 ? 'a' : 'b'));
    const { validation, warnings } = plan(
      many,
      many.map((_, i) => (i < 39 ? 'main' : 'tiny')),
    );
    expect(validation).toBe('within_sessions');
    expect(warnings[0]).toContain(
      '1 of 2 sessions hold fewer than 7 trials (tiny), so whole sessions cannot be held out',
    );
  });

  test('are stratified and repeated without sessions, and never test what they train on', () => {
    const { folds, passes, inner } = plan(two, null);
    expect(passes).toBeGreaterThan(1);
    for (const { train, test } of folds) {
      expect([...train].some((row) => test.includes(row))).toBe(false);
      expect([...test].filter((row) => two[row] === 'a').length).toBe(2);
    }
    for (const { train, tests } of inner)
      for (const { rows, outer } of tests) {
        const unseen = folds[outer]!.test;
        expect([...train].some((row) => rows.includes(row) || unseen.includes(row))).toBe(false);
      }
  });
});

test('a session of one trial does not make a method fail', () => {
  const sample = simulated({ count: 40, channels: 6 });
  const ids = ['csp-lda', 'csp-tuned-lda', 'mdm', 'fgmdm', 'tangent-logistic'];
  const train = (sessions: string[]) =>
    trainClassifier(sample.trials, sample.labels, sessions, { kind: 'motor', candidates: ids }).report as any;
  const whole = train(sample.sessions);
  const report = train(sample.sessions.map((name, i) => (i === 39 ? 'single' : name)));
  expect(report.methods.filter((row: any) => row.status === 'failed')).toEqual([]);
  expect(report.corrected.balanced_accuracy).toBeGreaterThan(whole.corrected.balanced_accuracy - 0.1);
  expect(report.validation.description).toContain('1 of 3 sessions hold fewer than 5 trials (single)');
});

test('sessions that are the classes give a score, a warning, and no p-value', () => {
  const sample = simulated({ count: 40 });
  const report = trainClassifier(sample.trials, sample.labels, sample.labels, {
    kind: 'motor',
    candidates: ['tangent-logistic'],
  }).report as any;
  expect(report.balanced_accuracy).toBeGreaterThan(0.8);
  expect([report.validation.kind, report.corrected, report.p_value, report.permutations]).toEqual([
    'within_sessions',
    null,
    null,
    0,
  ]);
  expect(report.warnings.join(' ')).toMatch(/Every session holds one class only/);
  expect(report.warnings.join(' ')).not.toMatch(/could be chance/);
});

test('flat, duplicated and average-referenced channels leave candidates that work', () => {
  const sample = simulated({ count: 40, channels: 4, strength: 1.5 });
  const data = sample.trials.data.slice();
  const { samples } = sample.trials;
  for (let t = 0; t < 40; t += 1) for (let i = 0; i < samples; i += 1) data[(t * 4 + 3) * samples + i] = 0;
  const { report } = trainClassifier({ ...sample.trials, data }, sample.labels, null, {
    kind: 'motor',
    candidates: few,
  });
  expect(report.balanced_accuracy).toBeGreaterThan(0.6);
});

test('candidates come from the shape alone', () => {
  const sample = simulated({ count: 12 });
  const shape = datasetShape(sample.trials, sample.labels, null, { kind: 'erp' });
  const { candidates, skipped } = select(shape);
  expect(candidates.map(({ id }) => id)).toContain('windowed-means-lda');
  expect(skipped.find(({ id }) => id === 'csp-lda')?.reason).toContain('event-related potentials');
});

test('the prior is that of the kind of task', () => {
  const sample = simulated({ count: 20, samples: 128 });
  const features = extractFeatures(sample.trials, ['erp/windows']);
  const as = (kind: 'erp' | 'motor') => {
    const data = trainingData(features, sample.labels, null, { kind });
    return scoreCandidate('windowed-means-ridge', data, planFolds(data)).prior.mean;
  };
  expect(as('erp')).toBeLessThan(as('motor'));
});
