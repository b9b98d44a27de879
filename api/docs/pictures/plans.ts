import { line, picture, rect, text } from './svg.ts';

/** How trials are held out: time lines. */

const sessions = ['Monday', 'Tuesday', 'Friday'];

export function folds(): string {
  const rows = sessions.flatMap((_, fold) => [
    text(20, 62 + 42 * fold, `Fold ${fold + 1}`),
    ...sessions.map((_, session) =>
      rect(100 + 165 * session, 42 + 42 * fold, 155, 28, session === fold ? 'warm' : 'cool'),
    ),
    text(177 + 165 * fold, 62 + 42 * fold, 'tested', 'middle on'),
  ]);
  return picture(
    610,
    175,
    'Folds by session: each session is tested by models that were fitted on the other sessions alone.',
    [...sessions.map((name, i) => text(177 + 165 * i, 28, name, 'middle')), ...rows],
  );
}

export function overlap(): string {
  const trial = (n: number, kind: string): string =>
    rect(40 + 90 * n, 50 + 34 * (n % 3), 180, 24, kind) + text(52 + 90 * n, 67 + 34 * (n % 3), `trial ${n + 1}`, 'on');
  return picture(
    610,
    165,
    'Overlapping trials share samples: 1 to 3 and 4 to 5 hang together, so each group stands on one side of a fold.',
    [
      line([20, 30], [590, 30], 'axis'),
      text(590, 22, 'time', 'end'),
      ...[0, 1, 2].map((n) => trial(n, 'cool')),
      rect(430, 50, 80, 24, 'warm'),
      text(438, 67, 'trial 4', 'on'),
      rect(480, 84, 100, 24, 'warm'),
      text(496, 101, 'trial 5', 'on'),
      text(130, 155, 'held out together', 'middle'),
      text(505, 155, 'held out together', 'middle'),
    ],
  );
}

/** A row of trials, one small box each, coloured by class. */
const row = (y: number, classes: string, words: string): string =>
  text(20, y - 8, words) +
  Array.from(classes)
    .map((each, i) => rect(20 + 24 * i, y, 20, 26, each === 'a' ? 'cool' : 'warm'))
    .join('');

export const blocks = (): string =>
  picture(
    610,
    230,
    'In the first row each class has its own time, so any drift separates the classes. In the rows below it does not.',
    [
      row(40, 'aaaaaaaaaaaabbbbbbbbbbbb', 'One block of each class: no score is meaningful'),
      row(110, 'aaaaaabbbbbbaaaaaabbbbbb', 'Several blocks: whole blocks are held out'),
      row(180, 'abbabaabbabaabbaabababba', 'Mixed: the best design'),
    ],
  );
