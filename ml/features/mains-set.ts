import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import { floor, segmentOf } from './power-sets.ts';
import type { RecipeFamily } from './recipe.ts';

/** Mains frequencies, and how far from them the line is read, Hz. */
const mainsHz = [50, 60] as const;
export const besideHz = 2;

/**
 * 'mains': log power (µV²/Hz) of every channel at the mains frequencies that the recording can hold
 * [channels × frequencies].
 */
export const mainsFamily: RecipeFamily = () => ({
  storable: true,
  dimension: (shape) => shape.channels * linesOf(shape).length,
  write({ shape, spectrum }, out, at) {
    const { frequenciesHz, power } = spectrum(segmentOf(shape));
    const bins = frequenciesHz.length;
    const lines = linesOf(shape);
    for (let c = 0; c < shape.channels; c += 1)
      lines.forEach((line, l) => {
        let highest = floor;
        for (let k = 0; k < bins; k += 1)
          if (Math.abs(frequenciesHz[k] - line) <= besideHz) highest = Math.max(highest, power[c * bins + k]);
        out[at + c * lines.length + l] = Math.log(highest);
      });
  },
});

const linesOf = (shape: SignalShape): number[] => mainsHz.filter((line) => line + besideHz <= usableHz(shape));
