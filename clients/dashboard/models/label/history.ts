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
  try {
    const value: unknown = JSON.parse(localStorage.getItem(prefix + id) ?? '[]');
    return Array.isArray(value) ? value.filter(isPast) : [];
  } catch {
    return [];
  }
}

/** Adds a labelling, and forgets the oldest beyond fifty. Returns the new list. */
export function addLabelling(id: string, labelling: PastLabelling): readonly PastLabelling[] {
  const all = [labelling, ...pastLabellings(id)].slice(0, most);
  try {
    localStorage.setItem(prefix + id, JSON.stringify(all));
  } catch {
    // A full or forbidden storage: the list lasts as long as the page.
  }
  return all;
}

/** Forgets the labellings of a model. */
export function clearLabellings(id: string): void {
  try {
    localStorage.removeItem(prefix + id);
  } catch {
    // Nothing was kept.
  }
}
