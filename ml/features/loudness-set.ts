import { stepsOf } from '../signal/index.ts';
import { floor } from './power-sets.ts';
import type { RecipeFamily } from './recipe.ts';

/** The set from which fits detect trials with artefacts: see `artefacts` of the evidence. */
export const loudnessSet = 'loudness';

/** 'loudness': log of each channel's movement in 20 ms (see `stepsOf`), µV. [channels] */
export const loudnessFamily: RecipeFamily = () => ({
  storable: true,
  dimension: ({ channels }) => channels,
  write({ shape: { channels, samples, rateHz }, data }, out, at) {
    stepsOf(data, channels, samples, rateHz).forEach((step, c) => (out[at + c] = Math.log(Math.max(step, floor))));
  },
});
