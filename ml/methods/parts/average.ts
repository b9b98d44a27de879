import { mixLogScores } from '../../evidence/opinion-pool.ts';
import type { DatasetShape } from '../../types.ts';
import { readableMembers } from '../members.ts';
import { setsOf } from '../sets.ts';
import type { Head, Method } from '../types.ts';
import type { Row } from './pipeline.ts';
import { reasonSentence } from '../../reason-sentences.ts';

/** Fewest methods that make an average. */
const fewest = 2;

/**
 * Average of the class probabilities of several methods, each at its own temperature (a linear opinion pool), over
 * those members that can read the data; at least two. The shape of the data determines the members, and their held-out
 * scores determine the temperatures.
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
      return reasonSentence('average', {
        members: members.length,
        needed: fewest,
        able: count,
        title: unable.title,
        reason: unable.unreadable(shape) ?? '',
      });
    },
    featureSets: (shape) => [
      ...new Set((isWhole(shape) ? readable(shape) : members).flatMap((member) => member.featureSets(shape))),
    ],
    fit({ temperatures, ...context }) {
      const some = readableMembers(own, context.data)!.map(({ id }) => members.findIndex((member) => member.id === id));
      const heads = some.map((m) => members[m].fit(context));
      return {
        members: heads,
        temperatures: temperatures ?? some.map(() => 1),
        ...(some.length < members.length && { of: Int32Array.from(some) }),
      };
    },
    decide(head, features, rows, workspace) {
      const heads = head['members'] as readonly Head[];
      const some = (head['of'] as Int32Array | undefined) ?? members.keys();
      const tables = Array.from(some, (m, h) => members[m].decide(heads[h], features, rows, workspace));
      return averageLogScores(tables, head['temperatures'] as readonly number[], tables[0].length / rows.length);
    },
  };
  return own;
}

const isWhole = (shape: Parameters<Method['featureSets']>[0]): shape is DatasetShape => 'trialsPerClass' in shape;

/**
 * Log-probabilities [rows × classes] of an average: the mean of the probabilities of its members' log-scores, each at
 * its temperature.
 */
export const averageLogScores = (
  tables: readonly Float64Array[],
  temperatures: readonly number[],
  classes: number,
): Float64Array =>
  mixLogScores(
    tables,
    temperatures.map((temperature) => ({ weight: 1 / tables.length, temperature })),
    classes,
  );
