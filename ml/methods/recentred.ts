import { cspLda } from './csp.ts';
import { recentred } from './parts/recentred.ts';
import { tangentLogistic, tangentRidge } from './tangent.ts';
import type { Method } from './types.ts';

/** Methods trained on sessions that were each recentred on their own mean. */
export const recentredMethods: readonly Method[] = [
  recentred(tangentLogistic, ['motor', 'sleep', 'other']),
  recentred(tangentRidge, ['motor', 'sleep', 'other']),
  recentred(cspLda, ['motor', 'other'], 'euclidean'),
];
