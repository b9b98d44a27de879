/** Progress reports of a long operation. */
export interface Progress {
  /** A permanent line. */
  line(text: string): void;
  /** The current state; it replaces the last one. */
  status(text: string): void;
}

const width = 24;

/** `0.5` → `████████████░░░░░░░░░░░░`. */
export function bar(done: number): string {
  const full = Math.round(Math.min(1, Math.max(0, done || 0)) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

/** `12_345_678` → `12.3 MB`. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;

/** `75` → `1:15`. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
