import type { Problem } from './problems.ts';

/** Microvolts in one unit of `x`. */
export const microvoltsPer = { uV: 1, mV: 1e3, V: 1e6 } as const;
export type Unit = keyof typeof microvoltsPer;

/** Other spellings of the three units; the spelling sent decides what is offered first, never the signal. */
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

/** The failure of `units` that is a text but not a unit; null where `units` is one, or no text. */
export function unitsProblem(units: unknown): Problem | null {
  if (typeof units !== 'string' || isUnit(units)) return null;
  const meant = Object.hasOwn(spellings, units.toLowerCase()) ? spellings[units.toLowerCase()] : undefined;
  const all: Unit[] = ['uV', 'mV', 'V'];
  return {
    field: 'units',
    code: 'UNITS_REQUIRED',
    message:
      `units is ${JSON.stringify(units.slice(0, 40))}; it must be the unit the numbers of x are really in: ` +
      '"uV", "mV" or "V". MNE exports volts; most amplifiers and EDF files, microvolts.',
    alternatives: meant ? [meant, ...all.filter((unit) => unit !== meant)] : all,
  };
}
