import type { Head, Method } from '../types.ts';

/**
 * Several methods that each decide, their class probabilities averaged as logarithms (a logarithmic opinion pool). Which members it has is fixed
 * beforehand, so it is scored like any other candidate; members' fits are shared with the members themselves.
 */
export function average(row: Omit<Method, 'featureSets' | 'fit' | 'decide'>, members: readonly Method[]): Method {
  return {
    ...row,
    featureSets: (shape) => [...new Set(members.flatMap((member) => member.featureSets(shape)))],
    fit: (context) => ({ members: members.map((member) => fitShared(member, context)) }),
    decide(head, features, rows, workspace) {
      const heads = head['members'] as readonly Head[];
      const all = members.map((member, m) => normalised(member.decide(heads[m], features, rows, workspace), rows.length));
      return all[0].map((_, at) => all.reduce((sum, own) => sum + own[at], 0) / all.length);
    },
  };
}

/** One fit per fold for a method and for every average it is a member of. */
export const fitShared = (method: Method, context: Parameters<Method['fit']>[0]): Head =>
  context.workspace.once([context.data, context.rows], `head:${method.id}`, () => method.fit(context));

/** Log-scores as log-probabilities. */
function normalised(logScores: Float64Array, rows: number): Float64Array {
  const classes = logScores.length / rows;
  const out = logScores.slice();
  for (let at = 0; at < out.length; at += classes) {
    let top = -Infinity;
    for (let k = 0; k < classes; k += 1) top = Math.max(top, out[at + k]);
    let sum = 0;
    for (let k = 0; k < classes; k += 1) sum += Math.exp(out[at + k] - top);
    const shift = top + Math.log(sum);
    for (let k = 0; k < classes; k += 1) out[at + k] -= shift;
  }
  return out;
}
