import { cspLda } from './csp.ts';
import { recentred } from './parts/recentred.ts';
import { tangentLogistic, tangentRidge } from './tangent.ts';
import type { Method } from './types.ts';

/** Methods trained on sessions that were each recentred on their own mean, with their published disadvantages. */
export const recentredMethods: readonly Method[] = [
  recentred(tangentLogistic, { motor: 2, sleep: 5, other: 2 }),
  recentred(tangentRidge, { motor: 2, sleep: 5, other: 2 }),
  recentred(cspLda, { motor: 8, other: 5 }, 'euclidean'),
];
