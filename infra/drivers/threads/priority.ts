import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets the calling thread give way to the main thread, so that a process whose threads are busy still answers at once.
 * Linux alone gives each thread a priority of its own; elsewhere nothing changes.
 */
export function giveWay(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // No priorities of threads here: they then share the processor alike.
  }
}
