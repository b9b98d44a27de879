import { movementCard } from '../../ml/encoders/movement/card.ts';
import type { MovementScore } from '../../ml/encoders/movement/card.ts';
import { referenceTaskName } from './tables.ts';

const aligned: readonly (readonly [MovementScore['align'], string])[] = [
  ['batch', 'batch'],
  ['alone', 'none, no own trials'],
  ['own15', 'none, 15 own trials'],
  ['own30', 'none, 30 own trials'],
];

const shown = ({ balancedAccuracy, interval95: [low, high] }: MovementScore): string =>
  `${balancedAccuracy.toFixed(3)} (${low.toFixed(2)} to ${high.toFixed(2)})`;

/** A markdown table of the scores of every head and montage. */
function scoreTable(): string {
  const rows = [...Map.groupBy(movementCard.scores, ({ head, montage }) => `${head} ${montage}`).values()];
  const lines = rows.map((own) => {
    const cells = aligned.map(([align]) => {
      const score = own.find((each) => each.align === align);
      return score ? shown(score) : '';
    });
    const [{ head, montage, electrodes, people }] = own;
    return `| ${headName(head)} | ${montage} (${electrodes.length}) | ${people} | ${cells.join(' | ')} |`;
  });
  const titles = aligned.map(([, title]) => title);
  return [
    `| task | electrodes | people | ${titles.join(' | ')} |`,
    `|---|---|---|${titles.map(() => '---|').join('')}`,
    ...lines,
  ].join('\n');
}

/** The reference task that a head was trained on, in words. */
const headName = (head: string): string => {
  const [task] = Object.keys(movementCard.heads[head]?.tasks ?? {});
  return task === undefined ? head.replaceAll('_', ' ') : referenceTaskName(task);
};

/** A markdown list of the tasks with the number of people behind each. */
const tasks = (): string =>
  Object.entries(movementCard.heads)
    .map(([head, { people, tasks: own }]) => `- ${headName(head)} (${Object.keys(own).length} task${
      Object.keys(own).length > 1 ? 's' : ''
    } of the recordings): ${people} people`)
    .join('\n');

/** Facts of the model card, by the name behind `movement.`. */
export const movementFacts: Readonly<Record<string, () => string>> = {
  'movement.sha256': () => movementCard.sha256,
  'movement.bytes': () => `${Math.round(movementCard.bytes / 1024)} KiB`,
  'movement.parameters': () => movementCard.parameters.toLocaleString('en'),
  'movement.networks': () => String(movementCard.networks),
  'movement.bands': () => movementCard.bands.map(([low, high]) => `${low}–${high}`).join(', '),
  'movement.windows': () => String(movementCard.windows.length),
  'movement.seconds': () => movementCard.seconds.join(' to '),
  'movement.sites': () => String(movementCard.sites.length),
  'movement.mostSites': () => String(movementCard.mostSites),
  'movement.tasks': tasks,
  'movement.scores': scoreTable,
  'movement.montages': () =>
    [...new Map(movementCard.scores.map(({ montage, electrodes }) => [montage, electrodes]))]
      .map(([montage, electrodes]) => `- ${montage}: ${electrodes.join(' ')}`)
      .join('\n'),
};
