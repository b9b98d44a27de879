import { oneClassEach } from '../evidence/folds.ts';
import { told, type Check } from './types.ts';

/** Sessions of one class each: what tells the sessions apart then tells the classes apart. */
export const sessionsAndClasses: Check = ({ labels, sessions }) => {
  if (!labels || !sessions) return null;
  const classesOf = new Map<string | null, Set<string>>();
  sessions.forEach((session, t) => classesOf.set(session, (classesOf.get(session) ?? new Set()).add(labels[t])));
  const classes = new Set(labels).size;
  if (classesOf.size < 2 || classes < 2 || [...classesOf.values()].some(({ size }) => size > 1)) return null;
  return told(oneClassEach);
};
