import type { RecordedChannel } from './recording.ts';
import { guessedMicrovoltsPer, microvoltsPer } from './rules.ts';
import { shown } from './text.ts';

export interface Gain {
  /** Factor from the file's unit to microvolts; null: the unit is not known. */
  readonly gain: number | null;
  /** Why the unit is not known, or how it was guessed; null: the file says it. */
  readonly why: string | null;
  readonly isGuess: boolean;
}

/** Typical sizes of EEG, microvolts (root mean square about the mean). Guesses outside are not offered. */
const usualSize = [0.5, 500] as const;

/** Factor to microvolts by the file, else by the person (`said`), else by a guess with its reason. */
export function gainOf(channel: RecordedChannel, said?: string): Gain {
  const own = channel.isDigital ? undefined : microvoltsPer(channel.unit);
  if (own !== undefined) return { gain: own, why: null, isGuess: false };
  const given = said === undefined ? undefined : microvoltsPer(said);
  if (given !== undefined)
    return {
      gain: given,
      why: channel.isDigital
        ? `the file gives no usable range, so the stored whole numbers are read as ${said}, as you said.`
        : `read in ${said}, as you said.`,
      isGuess: false,
    };
  if (channel.isDigital)
    return {
      gain: null,
      why:
        'Its physical range in the file is unusable (lowest and highest value are the same), so its values have no ' +
        'scale. Choose a unit to use the stored whole numbers.',
      isGuess: false,
    };
  const named = channel.unit === '' ? 'no unit' : `the unit "${shown(channel.unit)}"`;
  const guess = guessedMicrovoltsPer(channel.unit);
  const size = sizeOf(channel.values);
  const isUsual = (gain: number): boolean => size * gain >= usualSize[0] && size * gain <= usualSize[1];
  const readAs = (unit: string, gain: number): Gain => ({
    gain,
    why:
      `the file gives ${named}. The values are read as ${unit}, because their size is then between ${usualSize[0]} ` +
      `and ${usualSize[1]} uV, as is usual for EEG. Choose the unit if that is wrong.`,
    isGuess: true,
  });
  if (guess !== undefined && isUsual(guess)) return readAs('uV', guess);
  if (guess !== undefined && isUsual(1e6)) return readAs('V', 1e6);
  return {
    gain: null,
    why:
      guess === undefined
        ? `Its unit is "${shown(channel.unit)}": uV, mV and V can be read.`
        : `The file gives ${named}, and values of about ${Number(size.toPrecision(2))} are not usual for EEG. Choose the unit.`,
    isGuess: false,
  };
}

/** Root mean square about the mean. */
function sizeOf(values: Float32Array): number {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  return Math.sqrt(Math.max(0, squares / values.length - mean * mean));
}
