import { headOfTask, movementCard, movementId, usedSites } from '../encoders/movement/index.ts';
import type { MovementScore } from '../encoders/movement/index.ts';
import type { ReferenceEvidence, ReferenceShape } from './types.ts';

/** Scores of a head on the montage used for a caller's electrodes: as one batch, and each trial alone. */
export interface MontageScores {
  readonly batch: MovementScore;
  readonly alone: MovementScore;
}

/**
 * Scores on left-out people with the largest montage of the card whose electrodes the caller has in full; null: the
 * caller has none, or the network has no head for the task.
 */
export function montageScores(task: string, channelNames: readonly string[]): MontageScores | null {
  const head = headOfTask(task);
  const own = movementCard.scores.filter((score) => score.head === head);
  const [batch] = own
    .filter(({ align, electrodes }) => align === 'batch' && electrodes.every((name) => channelNames.includes(name)))
    .sort((a, b) => b.electrodes.length - a.electrodes.length);
  const alone = own.find(({ align, montage }) => align === 'alone' && montage === batch?.montage);
  return batch && alone ? { batch, alone } : null;
}

/** Whether the network reads trials of a length and rate without own trials. */
const isReadable = ({ seconds, sourceRateHz }: ReferenceShape): boolean => {
  const [shortest, longest] = movementCard.seconds;
  const highestHz = Math.max(...movementCard.bands.map(([, high]) => high));
  return seconds >= shortest && seconds <= longest && sourceRateHz >= 2.2 * highestHz;
};

/** Evidence of the network for trials of a shape, from its card; null: the network does not read them. */
export function networkEvidence(task: string, shape: ReferenceShape): ReferenceEvidence | null {
  const scores = isReadable(shape) ? montageScores(task, shape.channelNames) : null;
  if (!scores) return null;
  const { batch, alone } = scores;
  const read = usedSites(shape).channels.map((channel) => shape.channelNames[channel]);
  const { montage, electrodes } = batch;
  return {
    people: batch.people,
    trials: batch.trials,
    balancedAccuracy: batch.balancedAccuracy,
    interval95: batch.interval95,
    onePerson95: batch.onePerson95,
    lowerBound: batch.lowerBound95,
    chance: 1 / 2,
    quartiles: batch.quartiles,
    withoutAlignment: alone.balancedAccuracy,
    network: { id: movementId, montage, electrodes },
    set: movementId,
    read,
    notRead: shape.channelNames.filter((name) => !read.includes(name)),
    seconds: 4,
    notes: [
      `The answer comes from the movement network, and the score from its model card (/docs/movement-network). It was ` +
        `measured with the ${electrodes.length} electrodes ${electrodes.join(', ')}, the largest montage of the card ` +
        `that you have in full.`,
      `The score is of recordings that are recentred as a whole (\`align: "batch"\`). Without \`align\`, the score was ` +
        `${alone.balancedAccuracy.toFixed(3)}.`,
      ...(Math.abs(shape.seconds - 4) > 0.01
        ? [`The network learned trials of 4 s that begin at the cue; yours of ${shape.seconds} s are read whole.`]
        : []),
    ],
    warnings:
      alone.lowerBound95 > 1 / 2
        ? []
        : [
            `Without \`align: "batch"\` it was not shown to work. On people left out, the balanced accuracy was ` +
              `${alone.balancedAccuracy.toFixed(3)}; its one-sided 95 % bound (${alone.lowerBound95.toFixed(3)}) is not ` +
              'above chance (0.500).',
          ],
  };
}
