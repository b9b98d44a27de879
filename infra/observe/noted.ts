/** A finished operation on the object store; times in Unix milliseconds. */
export interface Operation {
  readonly operation: string;
  /** First part of the object's name. The rest is never recorded. */
  readonly kind: string;
  readonly bytes: number;
  readonly outcome: 'ok' | 'missing' | 'failed';
  readonly beganAt: number;
  readonly endedAt: number;
}

let noted: Operation[] = [];

/** In a thread: stores an operation until the task's answer carries it to the main thread. */
export const note = (operation: Operation): void => void noted.push(operation);

/** Returns the operations noted since the last call. */
export function takeNoted(): readonly Operation[] {
  const taken = noted;
  if (taken.length > 0) noted = [];
  return taken;
}

/** Unix milliseconds with their fractions. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();
