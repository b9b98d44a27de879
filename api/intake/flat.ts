import { count, type Problem } from './problems.ts';
import type { What } from './read-trials.ts';

/** Trials that a warning names one by one. */
const named = 8;

const consequences: Readonly<Record<What, string>> = {
  create: 'The fit leaves them out.',
  batch: 'The fit leaves them out.',
  predict: 'Their labels mean nothing.',
};

/** Names the trials of a request in which every channel holds one value throughout. */
export function flatWarnings(flat: readonly number[], trials: number, what: What): string[] {
  if (flat.length === 0) return [];
  const more = flat.length > named ? ` and ${count(flat.length - named)} more` : '';
  return [
    `Flat trials: ${count(flat.length)} of ${count(trials)} hold one value throughout in every channel ` +
      `(${flat.slice(0, named).join(', ')}${more}). ${consequences[what]}`,
  ];
}

/** The failure of a prediction of flat trials only. */
export const nothingToRead = (trials: number): Problem => ({
  field: 'x',
  message:
    `x carries no signal: every channel holds one value throughout in each of the ${count(trials)} trials. ` +
    'Send the trials as they were recorded.',
});
