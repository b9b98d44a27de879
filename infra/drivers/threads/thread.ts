import { enableCompileCache, flushCompileCache } from 'node:module';
import { compiledIn, quickThread } from './messages.ts';
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread, so that a process with busy threads still responds at once. Only Linux has
 * priorities of single threads; elsewhere nothing changes.
 */
function lowerPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // This system has no thread priorities: all threads have the same one.
  }
}

/**
 * First module of every pool thread. It lowers its priority before it loads the entry in its first argument, because
 * loading takes a second of CPU time while the process already serves requests. Compiled code is cached in the folder
 * of another argument, so that the next thread needs a third of that time.
 */
if (!process.argv.includes(quickThread)) lowerPriority();
const folder = process.argv.find((each) => each.startsWith(compiledIn))?.slice(compiledIn.length);
if (folder) enableCompileCache(folder);
await import(process.argv[2]!);
if (folder) flushCompileCache();
