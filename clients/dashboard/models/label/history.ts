import { browserStore } from '../../browser-store.ts';

/** One labelling: its time, counts and cost. The signal, the answers and the name of the file are not kept. */
export interface PastLabelling {
  readonly at: string;
  readonly trials: number;
  /** Trials of each class, as labelled. */
  readonly counts: Readonly<Record<string, number>>;
  /** US dollars; null: a test model. */
  readonly usd: string | null;
  /** Trials whose class was known, and how many of them were labelled so. */
  readonly known: number;
  readonly right: number;
}

const prefix = 'eeg-labels:';
const most = 50;

const isPast = (value: unknown): value is PastLabelling =>
  typeof value === 'object' && value !== null && 'at' in value && 'trials' in value && 'counts' in value;

/** Labellings of a model in this browser, the newest first. */
export function pastLabellings(id: string): readonly PastLabelling[] {
  const value = browserStore.read(prefix + id);
  return Array.isArray(value) ? value.filter(isPast) : [];
}

/** Adds a labelling, and forgets the oldest beyond fifty. Returns the new list. */
export function addLabelling(id: string, labelling: PastLabelling): readonly PastLabelling[] {
  const all = [labelling, ...pastLabellings(id)].slice(0, most);
  browserStore.write(prefix + id, all);
  return all;
}

/** Forgets the labellings of a model. */
export const clearLabellings = (id: string): void => browserStore.remove(prefix + id);
