import { headOfTask, movementCard, movementId } from '../encoders/movement/index.ts';
import type { MovementScore } from '../encoders/movement/index.ts';
import type { ReferenceEvidence, ReferenceShape } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** All heads have two classes. */
const chance = 1 / 2;
/** The scores are of trials of this length. */
const scoredSeconds = 4;
/** Trials that differ more in length are beyond what was measured. */
const mostDifferentSeconds = 0.5;

/** Scores of a head on the montage that stands for a caller's electrodes: as one batch, and each trial alone. */
export interface MontageScores {
  readonly batch: MovementScore;
  readonly alone: MovementScore;
}

/**
 * Scores on left-out people with one montage of the card whose electrodes the caller has in full: of these the one with
 * the highest lower bound, since more electrodes are not always better. Null: the caller has none, the network has no
 * head for the task, or its score is not above chance.
 */
export function montageScores(task: string, channelNames: readonly string[]): MontageScores | null {
  const head = headOfTask(task);
  const own = movementCard.scores.filter((score) => score.head === head);
  const [batch] = own
    .filter(({ align, electrodes }) => align === 'batch' && electrodes.every((name) => channelNames.includes(name)))
    .sort((a, b) => b.lowerBound95 - a.lowerBound95);
  const alone = own.find(({ align, montage }) => align === 'alone' && montage === batch?.montage);
  return batch && alone && batch.lowerBound95 > chance ? { batch, alone } : null;
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
  const { montage, electrodes } = batch;
  const read = shape.channelNames.filter((name) => electrodes.includes(name));
  return {
    people: batch.people,
    trials: batch.trials,
    balancedAccuracy: batch.balancedAccuracy,
    interval95: batch.interval95,
    onePerson95: batch.onePerson95,
    lowerBound: batch.lowerBound95,
    chance,
    quartiles: batch.quartiles,
    withoutAlignment: alone.balancedAccuracy,
    network: { id: movementId, montage, electrodes },
    set: movementId,
    read,
    notRead: shape.channelNames.filter((name) => !read.includes(name)),
    seconds: scoredSeconds,
    notes: [
      `The answer comes from the movement network, and the score from its model card (/docs/movement-network). It reads ` +
        `the ${electrodes.length} electrodes ${electrodes.join(', ')} alone, and was measured with them. Of the montages ` +
        `of the card that you have in full, this one has the best score.`,
      `The score is of recordings that are recentred as a whole (\`align: "batch"\`). Without \`align\`, the score was ` +
        `${alone.balancedAccuracy.toFixed(3)}.`,
    ],
    warnings: [
      ...(Math.abs(shape.seconds - scoredSeconds) > mostDifferentSeconds
        ? [warningSentence('other_length', { scored: scoredSeconds, seconds: shape.seconds })]
        : []),
      ...(alone.lowerBound95 > chance
        ? []
        : [
            warningSentence('only_aligned', {
              score: alone.balancedAccuracy.toFixed(3),
              bound: alone.lowerBound95.toFixed(3),
              chance: chance.toFixed(3),
            }),
          ]),
    ],
  };
}
