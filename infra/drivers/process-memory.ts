import { availableParallelism, totalmem } from 'node:os';

/** Bytes that the machine, or the control group of the process, lets it have. */
const availableBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** How a worker shares out its memory; the rest is for its code, for what runs, and for an API beside it. */
const fractions = { fits: 0.25, workspaces: 0.25 } as const;
const mostOfWorkspace = 384 * 1024 * 1024;

/** Bytes of features and scores that the fits of a worker share. */
export const fitMemoryBytes = (): number => Math.floor(fractions.fits * availableBytes());

/** Bytes that each thread of a worker keeps of what candidates have in common. */
export const workspaceBytes = (): number =>
  Math.min(mostOfWorkspace, Math.floor((fractions.workspaces * availableBytes()) / availableParallelism()));
