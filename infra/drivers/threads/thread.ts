import { enableCompileCache, flushCompileCache } from 'node:module';
import { compiledIn, quickThread } from './messages.ts';
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets the calling thread give way to the main thread, so that a process whose threads are busy still answers at once.
 * Linux alone gives each thread a priority of its own; elsewhere nothing changes.
 */
function giveWay(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // No priorities of threads here: they then share the processor alike.
  }
}

/**
 * What every thread of a pool begins with. It gives way before it loads the entry that its first argument names: what
 * an entry imports takes a processor for a second, and meanwhile the process answers already. What was compiled of it
 * is kept in the folder that another argument names, so that the next thread needs a third of that.
 */
if (!process.argv.includes(quickThread)) giveWay();
const folder = process.argv.find((each) => each.startsWith(compiledIn))?.slice(compiledIn.length);
if (folder) enableCompileCache(folder);
await import(process.argv[2]!);
if (folder) flushCompileCache();
