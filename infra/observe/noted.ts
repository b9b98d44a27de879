/** An operation on the object store, once it has ended; times in Unix milliseconds. */
export interface Operation {
  readonly operation: string;
  /** First part of the object's name; the rest is never told. */
  readonly kind: string;
  readonly bytes: number;
  readonly outcome: 'ok' | 'missing' | 'failed';
  readonly beganAt: number;
  readonly endedAt: number;
}

let noted: Operation[] = [];

/** In a thread: keeps an operation until the answer of the task takes it along. */
export const note = (operation: Operation): void => void noted.push(operation);

/** What was noted since this was last asked. */
export function takeNoted(): readonly Operation[] {
  const taken = noted;
  if (taken.length > 0) noted = [];
  return taken;
}

/** Unix milliseconds with their fractions. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();
