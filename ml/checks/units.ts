import { constantBelow } from './statistics.ts';
import { warningOf, type Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Plausible standard deviations of scalp EEG, microvolts. */
const plausible = { low: 0.5, high: 2_000 } as const;
/** Usual standard deviations of scalp EEG, microvolts. A unit is proposed if it alone leads to this range. */
const usual = { low: 1, high: 300 } as const;
const microvoltsPer = { uV: 1, mV: 1e3, V: 1e6 } as const;

type Unit = keyof typeof microvoltsPer;

/** The one other unit in which the signal has the size of EEG. */
function otherUnit(typical: number, declared: Unit | undefined): Unit | null {
  if (!declared) return null;
  const fitting = (Object.keys(microvoltsPer) as Unit[]).filter((unit) => {
    const deviation = (typical / microvoltsPer[declared]) * microvoltsPer[unit];
    return unit !== declared && deviation >= usual.low && deviation <= usual.high;
  });
  return fitting.length === 1 ? fitting[0] : null;
}

/** A signal that is larger or smaller than any scalp EEG. */
export const likelyUnits: Check = ({ units }, { typical }) => {
  if (typical <= constantBelow || (typical >= plausible.low && typical <= plausible.high)) return null;
  const small = typical < plausible.low;
  const unit = otherUnit(typical, units);
  const message = [
    warningSentence('units', {
      microvolts: Number(typical.toPrecision(3)),
      than: small ? 'less' : 'more',
      limit: small ? plausible.low : plausible.high,
    }),
    unit
      ? warningSentence('better_unit', { unit })
      : warningSentence('other_unit', { unit: small ? 'mV or V' : 'µV already' }),
  ].join(' ');
  return unit ? { message, change: { units: unit }, remove: null } : warningOf(message);
};
