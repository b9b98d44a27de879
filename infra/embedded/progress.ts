/** Where a long preparation says what it does. */
export interface Progress {
  /** A sentence that stays. */
  line(text: string): void;
  /** The state of what runs now; replaces the last one. */
  status(text: string): void;
}

export const silent: Progress = { line: () => undefined, status: () => undefined };

/** `75` → `1:15`. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
