import type { LinearHead } from '../classify/linear.ts';
import { balancedAccuracy, decisions } from '../evidence/scores.ts';
import { range } from '../rows.ts';
import type { Steps } from '../steps.ts';
import { fitPeople, groupOf, peopleGroups } from './people-folds.ts';
import { answersFor, centreOfPeople, headOf } from './people-space.ts';
import type { PersonVectors } from './people-space.ts';
import type { ReadShape } from './people-trials.ts';

/** Classifier without a group of people, and its answers for one of them. */
export interface LeftOut {
  readonly head: LinearHead;
  /** Log-scores [trials × classes], with the trials aligned as one batch, and each alone. */
  readonly batch: Float64Array;
  readonly alone: Float64Array;
}

/**
 * Answers for each person, learned from the people of the other groups. Yields after each group. `onGroup` receives
 * fractions from 0 to 1.
 */
export function* leaveOut(
  people: readonly PersonVectors[],
  classes: number,
  read: ReadShape,
  onGroup: (fraction: number) => void = () => {},
): Steps<LeftOut[]> {
  const [p, { kind, set }] = [read.read.length, read.reading];
  const left: LeftOut[] = [];
  const groups = Math.min(peopleGroups, people.length);
  for (let group = 0; group < groups; group += 1) {
    const others = people.filter((_, i) => groupOf(i) !== group);
    const head = fitPeople(others, classes, kind);
    const centre = centreOfPeople(others, p);
    const whole = { head: headOf(head, centre, set, { at: [...range(p)], channels: p }), centre };
    people.forEach((person, i) => {
      if (groupOf(i) !== group) return;
      const batch = answersFor(person, read, { ...whole, align: 'batch' });
      left[i] = { head, batch, alone: answersFor(person, read, { ...whole, align: 'none' }) };
    });
    onGroup((group + 1) / groups);
    yield;
  }
  return left;
}

/** Balanced accuracy of each person. */
export const scoresOf = (
  people: readonly PersonVectors[],
  left: readonly LeftOut[],
  align: 'batch' | 'alone',
  classes: number,
): number[] => people.map(({ labels }, i) => balancedAccuracy(decisions(left[i][align], classes), labels, classes));
