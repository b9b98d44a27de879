import { browserStore } from '../browser-store.ts';

const place = 'eeg-deletes';
/** Time after which a delete without an answer counts as ended. */
const longestMs = 5_000;

type Marks = Readonly<Record<string, number>>;

const marks = (): Marks => {
  const kept = (browserStore.read(place) ?? {}) as Marks;
  const since = Date.now() - longestMs;
  return Object.fromEntries(Object.entries(kept).filter(([, at]) => at > since));
};

/** Deletes without an answer yet, of all pages of this browser, also of pages that were left. */
export const deletesInFlight = {
  add: (id: string): void => browserStore.write(place, { ...marks(), [id]: Date.now() }),
  remove(id: string): void {
    const { [id]: _ended, ...others } = marks();
    browserStore.write(place, others);
  },
  has: (id: string): boolean => Object.hasOwn(marks(), id),
} as const;
