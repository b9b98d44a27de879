import { browserStore } from '../browser-store.ts';

const place = 'eeg-deletes';
/** A delete that was sent when its page was left has ended by then. */
const longestMs = 5_000;

type Marks = Readonly<Record<string, number>>;

const marks = (): Marks => {
  const kept = (browserStore.read(place) ?? {}) as Marks;
  const since = Date.now() - longestMs;
  return Object.fromEntries(Object.entries(kept).filter(([, at]) => at > since));
};

/** Deletes that were sent and not answered yet, in any page of this browser, also in one that was left meanwhile. */
export const deletesInFlight = {
  add: (id: string): void => browserStore.write(place, { ...marks(), [id]: Date.now() }),
  remove(id: string): void {
    const { [id]: _ended, ...others } = marks();
    browserStore.write(place, others);
  },
  has: (id: string): boolean => Object.hasOwn(marks(), id),
} as const;
