import type { SpeedSet } from '../datasets.ts';
import { base64 } from './bodies.ts';

const descriptions: Readonly<Record<string, string>> = {
  motor: 'imagined movement: left hand or right hand',
  erp: 'P300 speller: target or non-target flashes',
};

/** Body of a create of these trials. */
export const createBodyOf = ({ trials, labels, kind }: SpeedSet): string =>
  JSON.stringify({
    description: descriptions[kind],
    x: base64(trials.data),
    shape: [trials.trials, trials.channels, trials.samples],
    labels,
    channels: trials.channelNames,
    units: 'uV',
    sampling_rate_hz: trials.rateHz,
  });
