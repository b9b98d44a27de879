import type { SignalShape } from '../types.ts';
import { bandsOf, binsHz } from './power-sets.ts';

const shown = (value: number): string => String(Math.round(value * 1000) / 1000);

/** Consecutive windows of a trial, `count` of them. */
const windows = ({ samples, rateHz }: SignalShape, count: number): string[] =>
  Array.from({ length: count }, (_, w) => {
    const [from, to] = [w, w + 1].map((edge) => Math.round((edge * samples) / count) / rateHz);
    return `${shown(from)} to ${shown(to)} s`;
  });

/**
 * Names of the parts of each channel in sets of [channels × parts], by id of the set, and the unit of the values.
 * `count`: number of parts.
 */
const sets: Readonly<
  Record<string, { readonly unit: string; readonly parts: (shape: SignalShape, count: number) => readonly string[] }>
> = {
  logpower: { unit: 'log µV²/Hz', parts: (shape) => bandsOf(shape).map(([low, high]) => `${low} to ${high} Hz`) },
  logspectrum: { unit: 'log µV²/Hz', parts: (shape) => binsHz(shape).map((hz) => `${shown(hz)} Hz`) },
  'erp/windows': { unit: 'µV', parts: windows },
  'erp/windows/40': { unit: 'µV', parts: windows },
  slow: { unit: 'µV', parts: windows },
};

/** True if a set is [channels × parts] with named parts. */
export const hasChannelParts = (set: string): boolean => Object.hasOwn(sets, set);

/** Names of the `count` parts of a set of [channels × parts], and its unit; null for other sets. */
export const channelParts = (
  set: string,
  shape: SignalShape,
  count: number,
): { unit: string; parts: readonly string[] } | null =>
  hasChannelParts(set) ? { unit: sets[set].unit, parts: sets[set].parts(shape, count) } : null;
