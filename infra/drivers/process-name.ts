import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Name of this process, which no other process has or will have. */
export const processName = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
