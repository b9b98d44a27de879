import { foldWarnings } from '../evidence/folds.ts';
import { oneClassEach } from '../evidence/words.ts';
import { linksIn } from './links-in.ts';
import { told, type Check } from './types.ts';

/** Sessions of one class each: what tells the sessions apart then tells the classes apart. */
export const sessionsAndClasses: Check = (checked) =>
  warningsOf(checked).includes(oneClassEach) ? told(oneClassEach) : null;

/** Sessions that are held out together, or cannot be held out: the report says the same. */
export const heldOutSessions: Check = (checked) => {
  const others = warningsOf(checked).filter((warning) => warning !== oneClassEach);
  return others.length > 0 ? told(others.join(' ')) : null;
};

/** What the plan of the folds says of the sessions of a whole fit, and of labels that come in blocks within them. */
function warningsOf({ trials, labels, sessions, whole }: Parameters<Check>[0]): readonly string[] {
  const sessionNames = [...new Set(sessions?.map((name) => name ?? ''))].sort();
  if (!whole || !labels || sessionNames.length < 2) return [];
  const classes = [...new Set(labels)].sort();
  const numbered = (names: readonly (string | null)[], of: readonly string[]): Int32Array => {
    const numbers = new Map(of.map((name, number) => [name, number]));
    return Int32Array.from(names, (name) => numbers.get(name ?? '')!);
  };
  return foldWarnings({
    labels: numbered(labels, classes),
    classes,
    sessions: numbered(sessions!, sessionNames),
    sessionNames,
    links: linksIn(trials),
  });
}
