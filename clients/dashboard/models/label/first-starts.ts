import { marksNoTrial } from '../../../../infra/recordings/rules.ts';
import type { EventSummary } from '../file/summary.ts';
import type { Remembered } from '../remembered.ts';
import type { Meanings, Starts } from './starts.ts';

/** `Sleep stage W` and `stage w` mean the class `W`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^(sleep )?stage /, '')
    .trim();

interface About {
  readonly classes: readonly string[];
  /** Length of a trial of the model. */
  readonly seconds: number;
  readonly remembered: Remembered | null;
}

/**
 * The choice that a new file begins with. Events have the classes of the create, or the class of the same name. Without
 * either, the class of each event is not known. Events that last over several trials are compared, not cut.
 */
export function firstStarts(
  events: readonly Omit<EventSummary, 'longest'>[],
  { classes, seconds, remembered }: About,
): Starts {
  const classOf = (text: string): string | undefined => {
    const own = remembered && Object.hasOwn(remembered.classes, text) ? remembered.classes[text] : undefined;
    return own !== undefined && classes.includes(own) ? own : classes.find((name) => plain(name) === plain(text));
  };
  const named = events.flatMap(({ text }) => {
    const name = classOf(text);
    return name === undefined ? [] : [[text, name] as const];
  });
  const isScored = events.some((each) => each.seconds >= 2 * seconds) && named.length === 0;
  const lasts = events
    .filter(({ text }) => named.some(([each]) => each === text))
    .some((e) => e.seconds >= 2 * seconds);
  const meanings: Meanings = Object.fromEntries(
    named.length > 0 ? named : events.filter(({ text }) => !marksNoTrial(text)).map(({ text }) => [text, '']),
  );
  if (Object.keys(meanings).length === 0 || lasts || isScored)
    return { kind: 'every', step: seconds, meanings: Object.fromEntries(named) };
  return { kind: 'events', meanings, from: remembered?.from ?? 0 };
}
