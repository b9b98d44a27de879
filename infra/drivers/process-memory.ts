import { availableParallelism, totalmem } from 'node:os';

/** Memory of the machine, or the limit of the process's control group, in bytes. */
const availableBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** Fractions of a worker's memory; the rest is for code, running tasks, and an API in the same process. */
const fractions = { fits: 0.25, workspaces: 0.25 } as const;
const mostOfWorkspace = 384 * 1024 * 1024;

/** Limit of the features and scores of all fits of a worker together, in bytes. */
export const fitMemoryBytes = (): number => Math.floor(fractions.fits * availableBytes());

/** Cache of each worker thread for data that candidates have in common, in bytes. */
export const workspaceBytes = (): number =>
  Math.min(mostOfWorkspace, Math.floor((fractions.workspaces * availableBytes()) / availableParallelism()));
