import { cspLda } from './csp.ts';
import { recentred } from './parts/recentred.ts';
import { tangentLogistic, tangentRidge } from './tangent.ts';
import type { Method } from './types.ts';

/** Methods trained on sessions that were each recentred on their own mean, with their published disadvantages. */
export const recentredMethods: readonly Method[] = [
  recentred(tangentLogistic, 2),
  recentred(tangentRidge, 2),
  recentred(cspLda, 8, 'euclidean'),
];
