import { batchPrior } from '../methods/recentring.ts';
import type { ReadShape } from './people-trials.ts';
import { referenceRateHz } from './readings.ts';
import type { OverPeople } from './over-people.ts';
import { warningSentence } from '../warning-sentences.ts';

/**
 * Notes about approximations, in sentences. `dropped`: people who were left out; `batch`: most trials of a person;
 * `restless`: trials with artefacts; `apart`: people whom no fit learns from.
 */
export function notesOf(
  { reading, seconds, samples, notRead, read }: ReadShape,
  { dropped, batch, restless, apart }: Scored,
): string[] {
  const wanted = samples / referenceRateHz;
  const differs = Math.abs(wanted - seconds) > 0.01;
  return [
    'Recordings were filtered as a whole, where trials of yours are filtered one by one.',
    ...(differs
      ? [
          `They are kept in slices of ${reading.seconds} s and were read ${round(seconds)} s long; yours of ` +
            `${round(wanted)} s are read whole${wanted > seconds ? ': send the part in which it is done' : ''}.`,
        ]
      : []),
    ...(dropped
      ? [`${dropped} people more have no trial of ${round(seconds)} s of some class and are left out altogether.`]
      : []),
    ...(restless
      ? [`In ${restless} of their trials an artefact outweighs the EEG: no fit learns from them; they are scored too.`]
      : []),
    ...(apart.length
      ? [
          `The recordings of ${apart.join(', ')} move far more than those of all others: no fit learns from them; they ` +
            'are scored too.',
        ]
      : []),
    ...(notRead.length
      ? [
          `${notRead.length} of your ${notRead.length + read.length} channels are not in the recordings and are not ` +
            `read: ${notRead.join(', ')}.`,
        ]
      : []),
    ...(reading.kind === 'moments'
      ? [
          'The score is of recordings that are recentred as a whole (`align: "batch"`), with up to ' +
            `${batch} trials and equally frequent classes. A batch of n trials is moved n / (n + ${batchPrior}) of the ` +
            'way. So the score is lower for small batches, and for batches mostly of one class. Without `align` expect ' +
            'the lower score.',
        ]
      : [
          'Nothing is recentred: `align` changes no answer. Evoked responses depend on the reference electrode. ' +
            'With another reference than that of the reference recordings, the score is lower.',
        ]),
  ];
}

interface Scored {
  readonly dropped: number;
  readonly batch: number;
  readonly restless: number;
  readonly apart: readonly string[];
}

/** Warns if trials without a batch (`alone`) were not shown to be above chance. */
export function warningsOf({ reading }: ReadShape, { mean, lowerBound }: OverPeople, chance: number): string[] {
  if (reading.kind === 'means' || lowerBound > chance) return [];
  return [
    warningSentence('only_aligned', {
      score: mean.toFixed(3),
      bound: lowerBound.toFixed(3),
      chance: chance.toFixed(3),
    }),
  ];
}

const round = (value: number): number => Math.round(value * 100) / 100;
