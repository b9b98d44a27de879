import { oneClassEach } from '../evidence/words.ts';
import { told, type Check } from './types.ts';

/** Sessions of one class each, one of them a class's only one: what tells the sessions apart then tells the classes apart. */
export const sessionsAndClasses: Check = ({ labels, sessions }) => {
  if (!labels || !sessions) return null;
  const classesOf = new Map<string | null, Set<string>>();
  sessions.forEach((session, t) => classesOf.set(session, (classesOf.get(session) ?? new Set()).add(labels[t])));
  const single = [...classesOf.values()];
  const counts = new Map(labels.map((label) => [label, single.filter((own) => own.has(label)).length]));
  if (single.some(({ size }) => size > 1) || counts.size < 2 || Math.min(...counts.values()) > 1) return null;
  return told(oneClassEach);
};
