import { axes, dot, line, path, picture, rect, text } from './svg.ts';

/** What scores mean: diagrams with example numbers, not results. */

const box = { left: 70, top: 40, width: 500, height: 190 };
const percent = (value: number): string => value.toFixed(1);

/** Scores of twelve methods on the same trials. The best score is partly luck. */
const methods = [0.61, 0.63, 0.64, 0.66, 0.66, 0.67, 0.68, 0.69, 0.7, 0.71, 0.73, 0.77];

export function corrected(): string {
  const { place, frame, yTick, across } = axes(box, { x: [0, 15], y: [0.4, 0.9] });
  const best = methods.length;
  const bar = 14.2;
  return picture(
    610,
    285,
    'The best of many scores is partly luck. The corrected score is what the choice reaches where luck is taken off.',
    [
      frame('methods, by score', 'balanced accuracy'),
      ...[0.5, 0.6, 0.7, 0.8].map((value) => yTick(value, percent(value))),
      across(0.5, 'chance'),
      text(box.left + 6, place([0, 0.5])[1] - 6, 'chance', 'small'),
      ...methods.map((score, i) => dot(place([i + 1, score]), i + 1 === best ? 'warm' : 'cool')),
      text(place([best, 0.77])[0] - 12, place([0, 0.77])[1] - 8, 'balanced_accuracy', 'end small'),
      line(place([bar, 0.6]), place([bar, 0.81]), 'interval'),
      dot(place([bar, 0.71]), 'good'),
      text(place([bar, 0])[0] + 6, place([0, 0.83])[1], 'corrected', 'end small'),
    ],
  );
}

/** Histogram of the scores of fits on random labels. */
const nulls = [1, 3, 8, 17, 29, 36, 31, 19, 9, 4, 1];

export function chance(): string {
  const { place, frame, xTick } = axes(box, { x: [0.35, 0.85], y: [0, 42] });
  const width = box.width / 20;
  const score = place([0.73, 0])[0];
  return picture(
    610,
    285,
    'The p-value: how often labels without any meaning reach the score. Here they never do, so p is small.',
    [
      frame('balanced accuracy', 'fits on shuffled labels'),
      ...[0.4, 0.5, 0.6, 0.7, 0.8].map((value) => xTick(value, percent(value))),
      ...nulls.map((count, i) => {
        const [x, y] = place([0.3625 + 0.025 * i, count]);
        return rect(x, y, width - 3, box.top + box.height - y, 'cool');
      }),
      line([score, box.top], [score, box.top + box.height], 'interval'),
      text(score - 8, box.top + 16, 'your score', 'end small'),
    ],
  );
}

/** [trials per class, balanced accuracy] */
const curve = [
  [5, 0.58],
  [10, 0.65],
  [20, 0.71],
  [30, 0.74],
  [40, 0.755],
] as const;

export function learning(): string {
  const { place, frame, yTick, xTick, across } = axes(box, { x: [0, 85], y: [0.4, 0.9] });
  const forecast = [curve.at(-1)!, [60, 0.775], [80, 0.785]] as const;
  return picture(
    610,
    285,
    'The learning curve is measured up to your trials, and carried on as a forecast: it flattens before 0.8.',
    [
      frame('trials per class', 'balanced accuracy'),
      ...[0.5, 0.6, 0.7, 0.8].map((value) => yTick(value, percent(value))),
      ...[10, 20, 40, 60, 80].map((value) => xTick(value, String(value))),
      across(0.5, 'chance'),
      path(curve.map(place), 'curve'),
      path(forecast.map(place), 'curve dashed'),
      ...curve.map((point) => dot(place(point), 'cool')),
      dot(place([80, 0.785]), 'warm'),
      text(place([80, 0])[0], place([0, 0.81])[1], 'forecast', 'end small'),
    ],
  );
}

/** [mean probability, fraction that was correct] of each bin. */
const bins = [
  [0.55, 0.53],
  [0.64, 0.6],
  [0.73, 0.68],
  [0.82, 0.75],
  [0.93, 0.86],
] as const;

export function calibration(): string {
  const { place, frame, yTick, xTick } = axes(box, { x: [0.5, 1], y: [0.5, 1] });
  return picture(
    610,
    285,
    'Calibration: of answers given with 0.8, eight in ten should be right. Dots below the line are too sure of themselves.',
    [
      frame('probability of the answered class', 'share that was right'),
      ...[0.5, 0.6, 0.7, 0.8, 0.9].map((value) => yTick(value, percent(value)) + xTick(value, percent(value))),
      line(place([0.5, 0.5]), place([1, 1]), 'chance'),
      path(bins.map(place), 'curve'),
      ...bins.map((point) => dot(place(point), 'cool')),
    ],
  );
}

const controlScores = [
  ['the chosen method', 0.78, 0.71, 0.84, 'good'],
  ['eyes alone', 0.74, 0.66, 0.81, 'warm'],
  ['muscles alone', 0.55, 0.47, 0.63, 'cool'],
  ['before the cue', 0.51, 0.43, 0.59, 'cool'],
] as const;

export function controls(): string {
  const across = (score: number): number => 190 + (score - 0.4) * 760;
  return picture(
    610,
    220,
    'Controls: here the eyes alone reach nearly as much as the method. What it reads may not be the brain.',
    [
      line([across(0.5), 25], [across(0.5), 185], 'chance'),
      text(across(0.5), 18, 'chance', 'middle small'),
      ...controlScores.flatMap(([name, score, low, high, kind], i) => [
        text(20, 52 + 42 * i, name),
        line([across(low), 47 + 42 * i], [across(high), 47 + 42 * i], 'interval'),
        dot([across(score), 47 + 42 * i], kind),
      ]),
      ...[0.5, 0.6, 0.7, 0.8, 0.9].map((value) => text(across(value), 208, percent(value), 'middle small')),
    ],
  );
}
