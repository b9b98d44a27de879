import { writerOf } from './sentences.ts';

/**
 * Why a method was chosen, by code: a sentence about the best single method, then one about the pool if it was chosen.
 */
export const choiceSentences = {
  lowest_loss: '{title} has the lowest calibrated log-loss ({loss}) of {candidates} candidates.',
  other_people:
    'The trials cannot tell {title} (log-loss {loss}) from {best} ({least}, the lowest of {candidates} candidates), and ' +
    "other people's trials of this kind favour {favoured}.",
  published:
    'The trials cannot tell {title} (log-loss {loss}) from {best} ({least}, the lowest of {candidates} candidates), and ' +
    'published results favour {favoured}.',
  pool_lower:
    'The pool of {members} methods, with a weight of {weight} % for this one, was chosen: its log-loss is lower ' +
    '({loss}).',
  pool_not_higher:
    'The pool of {members} methods, with a weight of {weight} % for this one, was chosen: its log-loss ({loss}) is not ' +
    'clearly higher, and a pool seldom does worse on new trials.',
} as const;

export type ChoiceCode = keyof typeof choiceSentences;

/** Writes a sentence of a choice. */
export const choiceSentence = writerOf(choiceSentences);
