import type { DatasetShape } from '../../types.ts';
import { readableMembers } from '../members.ts';
import { setsOf } from '../sets.ts';
import type { Head, Method } from '../types.ts';
import type { Row } from './pipeline.ts';

/** Fewest methods that make an average. */
const fewest = 2;

/**
 * Several methods that each decide, their class probabilities averaged as logarithms (a logarithmic opinion pool):
 * those of the members that can read the data, two at least. Which these are follows from the shape of the data, so it
 * is scored like any other candidate, from what its members scored.
 */
export function average(row: Row, members: readonly Method[]): Method {
  const readable = (shape: DatasetShape): readonly Method[] =>
    members.filter((member) => member.unreadable(shape) === null);
  const pinned = (some: readonly Method[]) => some.map(({ id, version }) => ({ id, version }));
  const own: Method = {
    ...row,
    members: pinned(members),
    membersFor: (shape, features) =>
      pinned(
        readable(shape).filter((member) => !features || setsOf(member, features).every((set) => set in features.sets)),
      ),
    unreadable(shape) {
      const reason = row.unreadable?.(shape) ?? null;
      if (reason !== null) return reason;
      const count = readable(shape).length;
      if (count >= fewest) return null;
      const unable = members.find((member) => member.unreadable(shape) !== null)!;
      return (
        `averages ${members.length} methods and needs ${fewest} that can read the trials; ${count} can. ` +
        `${unable.title} ${unable.unreadable(shape)}`
      );
    },
    featureSets: (shape) => [
      ...new Set((isWhole(shape) ? readable(shape) : members).flatMap((member) => member.featureSets(shape))),
    ],
    fit(context) {
      const some = readableMembers(own, context.data)!.map(({ id }) => members.findIndex((member) => member.id === id));
      const heads = some.map((m) => members[m].fit(context));
      return { members: heads, ...(some.length < members.length && { of: Int32Array.from(some) }) };
    },
    decide(head, features, rows, workspace) {
      const heads = head['members'] as readonly Head[];
      const some = (head['of'] as Int32Array | undefined) ?? members.keys();
      const tables = Array.from(some, (m, h) => members[m].decide(heads[h], features, rows, workspace));
      return poolLogScores(tables, tables[0].length / rows.length);
    },
  };
  return own;
}

const isWhole = (shape: Parameters<Method['featureSets']>[0]): shape is DatasetShape => 'trialsPerClass' in shape;

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
