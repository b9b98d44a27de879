import { warningOf, type Check } from './types.ts';

const lowHz = 100;

/** A rate that leaves part of the EEG out. */
export const lowRate: Check = ({ trials: { sourceRateHz } }) =>
  sourceRateHz < lowHz
    ? warningOf(`The sampling rate of ${sourceRateHz} Hz leaves nothing above ${sourceRateHz / 2} Hz.`)
    : null;
