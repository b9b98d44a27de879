import { eyeSites } from '../channels/index.ts';
import { explained } from '../evidence/control.ts';
import { percent } from '../evidence/percent.ts';
import type { Steps } from '../steps.ts';
import type { ControlScore } from '../train/types.ts';
import { leaveOut, scoresOf } from './leave-out.ts';
import { overPeople } from './over-people.ts';
import type { OverPeople } from './over-people.ts';
import { vectorsOfPerson } from './people-space.ts';
import type { PersonVectors } from './people-space.ts';
import { trialsOf } from './people-trials.ts';
import type { ReadShape } from './people-trials.ts';
import type { PersonFeatures, ReferenceTaskShape } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';
import { reasonSentence } from '../reason-sentences.ts';

/**
 * Scores of the electrodes nearest the eyes (see `eyeSites`) alone, by the same fit with the same people left out. The
 * stored second moments contain nothing below their band, so they show slow eye movements only in part.
 */
export function* eyesControl(
  all: readonly PersonFeatures[],
  people: readonly PersonVectors[],
  task: ReferenceTaskShape,
  read: ReadShape,
): Steps<ControlScore> {
  const { kind, lowHz, highHz } = read.reading;
  const names = eyeSites(read.read).map((at) => read.read[at]);
  const title = `Electrodes nearest the eyes, ${lowHz === null ? 'below ' : `${lowHz}–`}${highHz} Hz`;
  const needed = kind === 'moments' ? 2 : 1;
  if (names.length < needed) {
    const reason = reasonSentence('near_the_eyes', { needed, found: names.length, read: read.read.length });
    return { id: 'eyes', title, status: 'not_measured', reached: null, reason };
  }
  const some = { ...read, read: names };
  const byName = new Map(all.map((person) => [person.person, person]));
  const own = people.map(({ person, learned }) =>
    vectorsOfPerson({ ...trialsOf(byName.get(person)!, task, some), learned }, some),
  );
  const classes = task.classes.length;
  const trials = people.reduce((sum, { labels }) => sum + labels.length, 0);
  const left = yield* leaveOut(own, classes, some);
  const over = overPeople(scoresOf(own, left, 'batch', classes), trials, kind);
  const reached = { balancedAccuracy: over.mean, interval: over.interval95, p: Number.NaN };
  return { id: 'eyes', title, status: 'scored', reached, reason: null };
}

/** Warns where the electrodes nearest the eyes explain the score or most of it. */
export function eyesWarnings(
  { title, reached }: ControlScore,
  { mean, interval95 }: OverPeople,
  chance: number,
  { reading }: ReadShape,
): string[] {
  const much = reached && explained(reached, { score: mean, interval: interval95, chance });
  if (!reached || !much) return [];
  const between = ([low, high]: readonly [number, number]): string => `${percent(low)} to ${percent(high)}`;
  return [
    warningSentence('eyes_of_people', {
      title,
      score: percent(reached.balancedAccuracy),
      interval: between(reached.interval),
      total: percent(mean),
      around: between(interval95),
      much: much === 'all' ? 'it' : 'most of it',
      kept: reading.lowHz === null ? '' : `, and what lies below ${reading.lowHz} Hz is not kept`,
    }),
  ];
}
