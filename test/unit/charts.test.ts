import { describe, expect, it } from 'vitest';
import { bandOf, headSites, thresholds, convexHull } from '../../clients/dashboard/charts/head/bands.ts';
import { projected, siteDirection, unprojected } from '../../clients/dashboard/charts/head/project.ts';
import { sphericalSpline } from '../../clients/dashboard/charts/head/spline.ts';
import { confusionCells, confusionTable } from '../../clients/dashboard/charts/confusion-cells.ts';
import { curveOf } from '../../clients/dashboard/charts/learning-curve.tsx';
import type { Report } from '../../clients/dashboard/charts/report-type.ts';
import { scoreRows, scoreTable, unscored } from '../../clients/dashboard/charts/score-rows.ts';
import { percent, percentInterval, rounded, shortened, shortenedApart } from '../../clients/dashboard/charts/words.ts';
import { sites19 } from '../../ml/channels/index.ts';
import { unscoredWords } from '../../clients/dashboard/charts/reason-words.ts';

const at = (name: string) => projected(siteDirection(name)!);
const radius = (name: string) => Math.hypot(...at(name));

describe('electrodes on a head seen from above', () => {
  it('Cz is in the middle, the nose is up, and left is left', () => {
    expect(radius('Cz')).toBeLessThan(1e-6);
    for (const name of ['Fz', 'FCz', 'CPz', 'Pz', 'Oz']) expect(Math.abs(at(name)[0])).toBeLessThan(0.03);
    expect(at('Fz')[1]).toBeGreaterThan(0.3);
    expect(at('Pz')[1]).toBeLessThan(-0.3);
    expect(at('C3')[0]).toBeLessThan(-0.3);
    expect(at('C4')[0]).toBeGreaterThan(0.3);
  });

  it('distances from Cz are those of the 10-20 system: C3 and Fz half as far as T7 and Fpz', () => {
    expect(radius('C3') / radius('T7')).toBeCloseTo(0.5, 1);
    expect(radius('Fz') / radius('Fpz')).toBeCloseTo(0.5, 1);
    expect(radius('Fpz')).toBeCloseTo(radius('Oz'), 1);
    for (const name of sites19) expect(radius(name)).toBeLessThan(1);
  });

  it('a point of the drawing maps to the direction that is drawn there', () => {
    for (const name of sites19) {
      const site = siteDirection(name)!;
      unprojected(projected(site)).forEach((value, i) => expect(value).toBeCloseTo(site[i], 9));
    }
  });

  it('a name that is no electrode has no place', () => {
    expect(siteDirection('EOG left')).toBeUndefined();
    expect(headSites(['C3', 'EOG', 'C4']).rows).toEqual([0, 2]);
  });

  it('their hull holds the outer ones alone', () => {
    const corner = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const;
    expect(convexHull([...corner, [0.5, 0.5], [0.5, 0]])).toEqual([...corner]);
    expect(convexHull([[0, 0]])).toEqual([[0, 0]]);
  });
});

describe('values between electrodes', () => {
  const sites = sites19.map((name) => siteDirection(name)!);
  const values = sites.map((_, i) => Math.sin(i * 1.7));

  it('are those measured where they were measured', () => {
    const found = sphericalSpline(sites, sites)(values)!;
    values.forEach((value, i) => expect(found[i]).toBeCloseTo(value, 8));
  });

  it('are one value everywhere where all electrodes have it', () => {
    const found = sphericalSpline(sites, [siteDirection('CPz')!, siteDirection('FC1')!])(sites.map(() => 0.4))!;
    expect([...found].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([0.4, 0.4]);
  });

  it('are close to the truth of a smooth field between electrodes', () => {
    const field = (name: string): number => siteDirection(name)![0];
    const inner = ['C1', 'C2', 'FC3', 'CP4', 'F1', 'PO3'];
    const found = sphericalSpline(
      sites,
      inner.map((name) => siteDirection(name)!),
    )(sites19.map(field))!;
    inner.forEach((name, i) => expect(Math.abs(found[i] - field(name))).toBeLessThan(0.05));
  });

  it('are impossible if two electrodes are in one place', () => {
    expect(sphericalSpline([sites[0], sites[0]], sites)([1, 2])).toBeNull();
  });

  it('are drawn in bands around 0, also of one electrode or a row of them', () => {
    expect([-1, -0.05, 0.05, 0.69, 1].map(bandOf)).toEqual([0, 4, 4, 7, 8]);
    expect(headSites(['Cz']).areas([1])).toHaveLength(thresholds.length);
    expect(headSites(['C3', 'Cz', 'C4']).areas([-1, 0, 1])).toHaveLength(thresholds.length);
    expect(headSites([]).areas([])).toEqual([]);
    for (const area of headSites(sites19).areas(values)) expect(area).toMatch(/^(M[-\d.,L]+Z)*$/);
  });
});

const report = {
  balanced_accuracy: 0.8,
  chance: 0.5,
  method: 'csp',
  method_title: 'CSP',
  corrected: { balanced_accuracy: 0.75, interval_95: [0.6, 0.9], explanation: '' },
  methods: [
    {
      id: 'lda',
      title: 'LDA',
      status: 'scored',
      balanced_accuracy: 0.7,
      interval_95: [0.6, 0.8],
      log_loss: 0.5,
      seconds: 1,
    },
    {
      id: 'csp',
      title: 'CSP',
      status: 'scored',
      balanced_accuracy: 0.8,
      interval_95: [0.7, 0.9],
      log_loss: 0.4,
      seconds: 2,
    },
    { id: 'net', title: 'Net', status: 'dropped', balanced_accuracy: 0.4, log_loss: 1, seconds: 1, reason: 'behind' },
    { id: 'bad', title: 'Bad', status: 'failed', seconds: 1, reason: null },
    {
      id: 'long',
      title: 'Long',
      status: 'skipped',
      reason: 'needs trials of at least 30 s (windows); these are 4 s',
    },
  ],
  learning_curve: [
    { trials_per_class: 5, balanced_accuracy: 0.6 },
    { trials_per_class: 10, balanced_accuracy: null },
    { trials_per_class: 20, balanced_accuracy: 0.8 },
  ],
  forecast: { balanced_accuracy_with_twice_the_trials: 0.85, interval_95_with_twice_the_trials: [0.7, null], text: '' },
} as unknown as Report;

describe('the content of the charts of a report', () => {
  it('the corrected score leads, then methods by score, the chosen one marked', () => {
    expect(scoreRows(report).map(({ label, kind }) => [label, kind])).toEqual([
      ['Expected on new trials', 'corrected'],
      ['Chosen: CSP', 'winner'],
      ['LDA', 'other'],
    ]);
    expect(scoreTable(report).rows.map((row) => row.slice(0, 3))).toEqual([
      ['Expected on new trials', '75\u00A0%', '60 to 90\u00A0%'],
      ['CSP (chosen)', '80\u00A0%', '70 to 90\u00A0%'],
      ['LDA', '70\u00A0%', '60 to 80\u00A0%'],
      ['Guessing', '50\u00A0%', '–'],
    ]);
  });

  it('the chosen method is drawn however many are better', () => {
    const methods = Array.from({ length: 40 }, (_, i) => ({
      ...(report.methods[0] as object),
      id: `m${i}`,
      balanced_accuracy: 0.9 - i / 100,
    }));
    const many = { ...report, corrected: null, method: 'm39', methods } as unknown as Report;
    expect(
      scoreRows(many)
        .map(({ kind }) => kind)
        .indexOf('winner'),
    ).toBe(1);
    expect(scoreRows(many)).toHaveLength(13);
    expect(scoreTable(many).rows).toHaveLength(42);
  });

  it('class names that begin alike are cut where they differ', () => {
    expect(shortenedApart(['both feet', 'both fists'], 13)).toEqual(['both feet', 'both fists']);
    expect(shortenedApart(['imagined left hand', 'imagined right hand'], 13)).toEqual(['…left hand', '…right hand']);
    expect(shortenedApart(['abcdefghijkl', 'abcdefghijkm'], 6)).toEqual(['abcde…', 'abcde…']);
  });

  it('methods without a score say why', () => {
    expect(unscored(report)).toEqual([
      { title: 'Net', reason: unscoredWords('dropped', null) },
      { title: 'Bad', reason: 'It could not learn from these trials.' },
      {
        title: 'Long',
        reason: 'It needs trials of 30 s or longer; these last 4 s. Choose a longer window.',
      },
    ]);
  });

  it('confusions are shaded by the fraction of their row, and a row without trials is not shaded', () => {
    const cells = confusionCells([
      [3, 1],
      [0, 0],
    ]);
    expect(cells.map(({ fraction }) => fraction)).toEqual([0.75, 0.25, 0, 0]);
    expect(
      confusionTable(
        ['a', 'b'],
        [
          [3.04, 1],
          [0, 0],
        ],
      ).rows[0],
    ).toEqual(['a', '3', '1']);
  });

  it('64 classes make 4,096 cells', () => {
    const counts = Array.from({ length: 64 }, (_, i) => Array.from({ length: 64 }, (_, j) => Number(i === j)));
    expect(confusionCells(counts).filter(({ fraction }) => fraction === 1)).toHaveLength(64);
  });

  it('the forecast is for twice the last point; an interval with one end is not shown', () => {
    expect(curveOf(report)).toEqual({
      points: [
        { n: 5, score: 0.6 },
        { n: 20, score: 0.8 },
      ],
      forecast: { n: 40, score: 0.85, interval: null },
    });
    expect(curveOf({ ...report, forecast: null }).forecast).toBeNull();
  });

  it('numbers that are not known are dashes', () => {
    expect([percent(null), percentInterval(null), percentInterval([0.1, null]), rounded(undefined)]).toEqual([
      '–',
      '–',
      '–',
      '–',
    ]);
    expect(shortened('👁👁👁', 2)).toBe('👁…');
  });
});
