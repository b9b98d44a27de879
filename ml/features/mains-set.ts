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
    const lines = linesOf(shape);
    for (let c = 0; c < shape.channels; c += 1)
      for (let l = 0; l < lines.length; l += 1)
        out[at + c * lines.length + l] = Math.log(
          highestNear(lines[l], frequenciesHz, power, c * frequenciesHz.length),
        );
  },
});

/** Highest power of one channel, whose bins begin at `from`, near a line. */
function highestNear(line: number, frequenciesHz: Float64Array, power: Float64Array, from: number): number {
  let highest = floor;
  for (let k = 0; k < frequenciesHz.length; k += 1)
    if (Math.abs(frequenciesHz[k] - line) <= besideHz) highest = Math.max(highest, power[from + k]);
  return highest;
}

const linesOf = (shape: SignalShape): number[] => mainsHz.filter((line) => line + besideHz <= usableHz(shape));
