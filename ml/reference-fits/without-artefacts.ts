import { artefacts } from '../evidence/artefacts.ts';
import type { PersonVectors } from './people-space.ts';

/**
 * The people, with no trials to learn from for outliers: people whose whole recordings differ in level from those of
 * the others, as an artefact differs from other trials (other units, another amplifier gain). Without recentring they
 * would outweigh all others. They are scored like the others.
 */
export function peopleWithoutArtefacts(people: readonly PersonVectors[]): PersonVectors[] {
  const rows = Int32Array.from(people.keys());
  const steps = people.map(({ level }) => level);
  const found = artefacts({ steps, channels: 1, labels: new Int32Array(people.length), sessions: null }, rows);
  return people.map((person, i) => (found.includes(i) ? { ...person, learned: new Int32Array(0) } : person));
}

/** True if fits learn from a person. */
export const isLearned = ({ learned }: PersonVectors): boolean => learned.length > 0;
