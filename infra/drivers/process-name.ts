import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Unique name of this process. */
export const processName = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
