import { quickThread } from './messages.ts';
import { giveWay } from './priority.ts';

/**
 * What every thread of a pool begins with. It gives way before it loads the entry that its first argument names: what
 * an entry imports takes a processor for a second, and meanwhile the process answers already.
 */
if (!process.argv.includes(quickThread)) giveWay();
await import(process.argv[2]!);
