import { balancedAccuracy, decisions } from '../../../ml/evidence/scores.ts';
import { fitPeople, groupOf, peopleGroups } from '../../../ml/reference-fits/people-folds.ts';
import { answersFor, centreOfPeople, headOf, vectorsOfPerson } from '../../../ml/reference-fits/people-space.ts';
import { readShape, trialsOf } from '../../../ml/reference-fits/people-trials.ts';
import { seconds, task } from './people.ts';
import type { BenchPerson } from './people.ts';

const wanted = { kind: 'motor', classes: task.classes.map(({ id }) => id) } as const;

/**
 * Balanced accuracy of each person, left out in one of ten groups, told by the others alone: all trials recentred on
 * the person's own Riemannian mean, or on the Euclidean one.
 */
export function centresOf(people: readonly BenchPerson[], channelNames: readonly string[]) {
  const [{ features }] = people as [BenchPerson];
  const longest = seconds / features.seconds;
  const shape = readShape(features.electrodes, longest, wanted, { channelNames, seconds, sourceRateHz: 160 });
  const p = shape.read.length;
  const places = shape.read.map((_, i) => i);
  const scores = (centring: 'riemannian' | 'euclidean'): number[] => {
    const vectors = people.map((each) => vectorsOfPerson(trialsOf(each.features, wanted, shape), shape, centring));
    const heads = Array.from({ length: Math.min(peopleGroups, people.length) }, (_, group) => {
      const others = vectors.filter((__, i) => groupOf(i) !== group);
      const centre = centreOfPeople(others, p);
      return {
        centre,
        head: headOf(fitPeople(others, 2, 'moments'), centre, shape.reading.set, { at: places, channels: p }),
      };
    });
    return vectors.map((person, i) => {
      const { head, centre } = heads[groupOf(i)]!;
      const told = answersFor(person, shape, { head, centre, align: 'batch', centring });
      return balancedAccuracy(decisions(told, 2), person.labels, 2);
    });
  };
  return { riemannian: scores('riemannian'), euclidean: scores('euclidean') };
}
