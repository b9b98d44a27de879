/** What this browser remembers of a model: how its trials were cut. The signal is never kept. */
export interface Remembered {
  /** Text of an event → class. */
  readonly classes: Readonly<Record<string, string>>;
  /** Seconds from the event to the beginning of a trial. */
  readonly from: number;
  /** Whether it was made from the sample data. */
  readonly isSample?: boolean;
}

const prefix = 'eeg-model:';

const isRemembered = (value: unknown): value is Remembered =>
  typeof value === 'object' && value !== null && 'classes' in value && 'from' in value;

/** Keeps how the trials of a model were cut. A full or forbidden storage is no fault. */
export function remember(id: string, what: Remembered): void {
  try {
    localStorage.setItem(prefix + id, JSON.stringify(what));
  } catch {
    // The person chooses again.
  }
}

export function remembered(id: string): Remembered | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(prefix + id) ?? 'null');
    return isRemembered(value) ? value : null;
  } catch {
    return null;
  }
}

/** Forgets a deleted model. */
export function forget(id: string): void {
  try {
    localStorage.removeItem(prefix + id);
  } catch {
    // Nothing was kept.
  }
}
