import { oneClassEach } from '../evidence/words.ts';
import { heldOutWarnings, sessionsOf } from './held-out.ts';
import { told, type Check } from './types.ts';

/** Sessions of one class each: what tells the sessions apart then tells the classes apart. */
export const sessionsAndClasses: Check = (checked) =>
  sessionsOf(checked).length > 0 && heldOutWarnings(checked).includes(oneClassEach) ? told(oneClassEach) : null;

/**
 * Sessions that are held out together, or cannot be held out, and labels in blocks within them: the report says the
 * same.
 */
export const heldOutSessions: Check = (checked) => {
  if (sessionsOf(checked).length === 0) return null;
  const others = heldOutWarnings(checked).filter((warning) => warning !== oneClassEach);
  return others.length > 0 ? told(others.join(' ')) : null;
};
