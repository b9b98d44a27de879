import { artefacts } from '../evidence/artefacts.ts';
import type { PersonVectors } from './people-space.ts';

/**
 * The people, those without rows to learn from whose recordings as a whole are to those of the others what an artefact
 * is to other trials: in other units, of an amplifier of another gain. They would outweigh all others where nothing is
 * recentred, and are scored like them.
 */
export function steadyPeople(people: readonly PersonVectors[]): PersonVectors[] {
  const rows = Int32Array.from(people.keys());
  const steps = people.map(({ level }) => level);
  const found = artefacts({ steps, channels: 1, labels: new Int32Array(people.length), sessions: null }, rows);
  return people.map((person, i) => (found.includes(i) ? { ...person, learned: new Int32Array(0) } : person));
}

/** Whether fits learn from a person. */
export const isLearned = ({ learned }: PersonVectors): boolean => learned.length > 0;
