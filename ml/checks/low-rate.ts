import { warningOf, type Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

const lowHz = 100;

/** Warns of a sampling rate too low for the whole EEG band. */
export const lowRate: Check = ({ trials: { sourceRateHz } }) =>
  sourceRateHz < lowHz
    ? warningOf(warningSentence('low_rate', { rate: sourceRateHz, highest: sourceRateHz / 2 }))
    : null;
