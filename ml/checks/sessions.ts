import { oneClassEach } from '../evidence/fold-warnings.ts';
import { heldOutWarnings, sessionsOf } from './held-out.ts';
import { warningOf, type Check } from './types.ts';

/** Warns if every session holds one class: session drift then looks like class information. */
export const sessionsAndClasses: Check = (checked) =>
  sessionsOf(checked).length > 0 && heldOutWarnings(checked).includes(oneClassEach) ? warningOf(oneClassEach) : null;

/**
 * Warns of sessions that are held out together or cannot be held out, and of labels in blocks within sessions. The
 * report has the same warnings.
 */
export const heldOutSessions: Check = (checked) => {
  if (sessionsOf(checked).length === 0) return null;
  const others = heldOutWarnings(checked).filter((warning) => warning !== oneClassEach);
  return others.length > 0 ? warningOf(others.join(' ')) : null;
};
