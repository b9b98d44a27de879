import { warningOf, type Check } from './types.ts';

const lowHz = 100;

/** Warns of a sampling rate too low for the whole EEG band. */
export const lowRate: Check = ({ trials: { sourceRateHz } }) =>
  sourceRateHz < lowHz
    ? warningOf(`The sampling rate of ${sourceRateHz} Hz leaves nothing above ${sourceRateHz / 2} Hz.`)
    : null;
