import { quoted } from '../../infra/contract/quote.ts';
import { showValue } from '../contract/describe-issue.ts';
import type { Problem } from './problems.ts';
import type { Numbers } from './shape.ts';

/** Microvolts in one unit of `x`. */
export const microvoltsPer = { uV: 1, mV: 1e3, V: 1e6 } as const;
export type Unit = keyof typeof microvoltsPer;

/** Other spellings of the three units. The spelling that was sent decides which fix comes first. */
const spellings: Readonly<Record<string, Unit>> = {
  uv: 'uV',
  µv: 'uV',
  μv: 'uV',
  microvolt: 'uV',
  microvolts: 'uV',
  muv: 'uV',
  mv: 'mV',
  millivolt: 'mV',
  millivolts: 'mV',
  v: 'V',
  volt: 'V',
  volts: 'V',
};

export const isUnit = (value: unknown): value is Unit =>
  typeof value === 'string' && Object.hasOwn(microvoltsPer, value);

/** Only this many rows of `x` are examined. */
const examinedRows = 256;

/** Median standard deviation of the first rows of `x`, in the unit that was sent; null if `x` could not be read. */
export function usualVariation({ data, shape }: Numbers): number | null {
  if (!data || !shape) return null;
  const samples = shape[2];
  const rows = Math.min(examinedRows, data.length / samples);
  const deviations = Array.from({ length: rows }, (_, row) => {
    const values = data.subarray(row * samples, (row + 1) * samples);
    const mean = values.reduce((sum, value) => sum + value, 0) / samples;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / samples);
  }).sort((a, b) => a - b);
  return deviations[Math.floor(rows / 2)];
}

/** Units ordered by how well they fit the numbers of `x`: scalp EEG varies by about 20 microvolts. */
export function likelyUnits(variation: number | null): readonly Unit[] {
  const all: Unit[] = ['uV', 'mV', 'V'];
  const distance = (unit: Unit): number => Math.abs(Math.log(((variation ?? 0) * microvoltsPer[unit]) / 20));
  return variation !== null && variation > 0 ? all.sort((a, b) => distance(a) - distance(b)) : all;
}

/**
 * Values of `units` that name no unit: the numbers of `x` then suggest one. An unknown unit is not one of the three.
 */
const withoutUnit: ReadonlySet<string> = new Set(['', 'unitless', 'normalized', 'unknown']);

/**
 * The error for missing or unknown `units`; null if they are valid. `variation`: the usual standard deviation of a row
 * of `x` as sent.
 */
export function unitsProblem(units: unknown, variation: number | null = null): Problem | null {
  if (isUnit(units)) return null;
  const all = likelyUnits(variation);
  const must = 'the unit the numbers of x are really in: "uV", "mV" or "V".';
  if (units == null) return { field: 'units', message: `units is required: ${must}`, alternatives: all };
  if (typeof units !== 'string')
    return { field: 'units', message: `units must be ${must} Received ${showValue(units)}.` };
  const spelt = units.trim().toLowerCase();
  const meant = Object.hasOwn(spellings, spelt) ? spellings[spelt] : undefined;
  return {
    field: 'units',
    code: 'UNITS_REQUIRED',
    message: `units is ${quoted(units, 40)}; it must be ${must} MNE exports volts; most amplifiers and EDF files, microvolts.`,
    ...(meant ? { alternatives: [meant, ...all.filter((unit) => unit !== meant)] } : {}),
    ...(withoutUnit.has(spelt) ? { alternatives: all } : {}),
  };
}
