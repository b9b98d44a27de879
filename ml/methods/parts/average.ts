import { firstOf } from '../reasons.ts';
import type { Head, Method } from '../types.ts';
import type { Row } from './pipeline.ts';

/**
 * Several methods that each decide, their class probabilities averaged as logarithms (a logarithmic opinion pool).
 * Which members it has is fixed beforehand, so it is scored like any other candidate, from what its members scored.
 */
export function average(row: Omit<Row, 'unreadable'>, members: readonly Method[]): Method {
  return {
    ...row,
    unreadable: firstOf(...members.map((member) => member.unreadable)),
    members: members.map(({ id, version }) => ({ id, version })),
    featureSets: (shape) => [...new Set(members.flatMap((member) => member.featureSets(shape)))],
    fit: (context) => ({ members: members.map((member) => member.fit(context)) }),
    decide(head, features, rows, workspace) {
      const heads = head['members'] as readonly Head[];
      const tables = members.map((member, m) => member.decide(heads[m], features, rows, workspace));
      return poolLogScores(tables, tables[0].length / rows.length);
    },
  };
}

/** Mean of tables of log-scores [rows × classes] as log-probabilities; a row of NaN stays one. */
export function poolLogScores(tables: readonly Float64Array[], classes: number): Float64Array {
  const out = new Float64Array(tables[0].length);
  for (const table of tables) {
    for (let at = 0; at < table.length; at += classes) {
      let top = -Infinity;
      for (let k = 0; k < classes; k += 1) top = Math.max(top, table[at + k]);
      let sum = 0;
      for (let k = 0; k < classes; k += 1) sum += Math.exp(table[at + k] - top);
      const shift = top + Math.log(sum);
      for (let k = 0; k < classes; k += 1) out[at + k] += (table[at + k] - shift) / tables.length;
    }
  }
  return out;
}
