import { count } from '../../infra/contract/quote.ts';
import type { Problem } from './problems.ts';

/** The failure of a prediction of flat trials only. */
export const nothingToRead = (trials: number): Problem => ({
  field: 'x',
  message:
    `x carries no signal: every channel holds one value throughout in each of the ${count(trials)} trials. ` +
    'Send the trials as they were recorded.',
});
