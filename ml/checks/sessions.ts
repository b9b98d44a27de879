import { oneClassEach } from '../evidence/words.ts';
import { heldOutWarnings, sessionsOf } from './held-out.ts';
import { warningOf, type Check } from './types.ts';

/** Sessions of one class each: what tells the sessions apart then tells the classes apart. */
export const sessionsAndClasses: Check = (checked) =>
  sessionsOf(checked).length > 0 && heldOutWarnings(checked).includes(oneClassEach) ? warningOf(oneClassEach) : null;

/**
 * Sessions that are held out together, or cannot be held out, and labels in blocks within them: the report says the
 * same.
 */
export const heldOutSessions: Check = (checked) => {
  if (sessionsOf(checked).length === 0) return null;
  const others = heldOutWarnings(checked).filter((warning) => warning !== oneClassEach);
  return others.length > 0 ? warningOf(others.join(' ')) : null;
};
