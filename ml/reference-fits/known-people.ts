import type { LinearHead } from '../classify/linear.ts';
import type { ReferencePeople } from '../types.ts';
import { groupOf } from './people-folds.ts';
import type { PersonVectors } from './people-space.ts';
import { sketchesOf } from './person-sketches.ts';

/**
 * The people of a fit, by which one of them is recognised later. `heads` [people]: the classifier without each person's
 * group, calibrated.
 */
export function knownPeople(people: readonly PersonVectors[], heads: readonly LinearHead[]): ReferencePeople {
  const group = Int32Array.from(people.keys(), groupOf);
  return {
    names: people.map(({ person }) => person),
    sketches: sketchesOfPeople(people),
    of: Int32Array.from(people.flatMap(({ labels }, i) => Array.from(labels, () => i))),
    without: [...new Set(group)].map((own) => heads[group.indexOf(own)]),
    group,
  };
}

function sketchesOfPeople(people: readonly PersonVectors[]): Int8Array {
  const each = people.map(({ vectors, labels }) => sketchesOf(vectors, vectors.length / labels.length));
  const out = new Int8Array(each.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const own of each) {
    out.set(own, at);
    at += own.length;
  }
  return out;
}
