/**
 * JSON values that this browser keeps. Its storage may be full or forbidden: then nothing is kept, and nothing fails.
 */
export const browserStore = {
  /** Null: there is no value, or it cannot be read. */
  read(name: string): unknown {
    try {
      return JSON.parse(localStorage.getItem(name) ?? 'null') as unknown;
    } catch {
      return null;
    }
  },
  write(name: string, value: unknown): void {
    try {
      localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // The value lasts as long as the page.
    }
  },
  remove(name: string): void {
    try {
      localStorage.removeItem(name);
    } catch {
      // Nothing was kept.
    }
  },
} as const;

/** Place of the settings of a create that was not finished. */
export const draftPlace = 'eeg-draft';
