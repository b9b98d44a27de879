import type { Said } from '../../../infra/recordings/recording.ts';
import { browserStore } from '../browser-store.ts';

/** What this browser remembers of a model: how its trials were cut. The signal is never kept. */
export interface Remembered {
  /** Text of an event → class. */
  readonly classes: Readonly<Record<string, string>>;
  /** Seconds from the event to the beginning of a trial. */
  readonly from: number;
  /** What the person said about the files: names of channels, the unit. */
  readonly said?: Said;
  /** Whether it was made from the sample data. */
  readonly isSample?: boolean;
}

const prefix = 'eeg-model:';

const isRemembered = (value: unknown): value is Remembered =>
  typeof value === 'object' && value !== null && 'classes' in value && 'from' in value;

/** Keeps how the trials of a model were cut. */
export const remember = (id: string, what: Remembered): void => browserStore.write(prefix + id, what);

export function remembered(id: string): Remembered | null {
  const value = browserStore.read(prefix + id);
  return isRemembered(value) ? value : null;
}

/** Forgets a deleted model. */
export const forget = (id: string): void => browserStore.remove(prefix + id);
