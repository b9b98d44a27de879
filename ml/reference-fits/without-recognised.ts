import { movementCard, movementPeople, networksWithout } from '../encoders/movement/index.ts';
import type { MovementPeople } from '../encoders/movement/index.ts';
import { hasBank } from '../methods/movement/reader.ts';
import { reasonSentence } from '../reason-sentences.ts';
import type { TrainingData } from '../train/types.ts';
import { warningSentence } from '../warning-sentences.ts';
import { peopleOfNetworks } from './network-people.ts';
import { peopleOfPrior } from './prior-people.ts';

/** Fields of training data without anything learned from some people, and sentences about them. */
interface Unseen {
  readonly fields: Partial<TrainingData>;
  readonly sentences: readonly string[];
}

/** Whether trials with this data are compared with people: something that learned from people reads them. */
export const isCompared = ({ features, reference }: TrainingData): boolean =>
  reference?.known !== undefined || hasBank(features);

/**
 * Training data without anything that was learned from the caller's own recordings. The networks and the prior each
 * bring sketches of the people that they learned from. If the trials look like recordings of such people, only networks
 * that have not seen them are read (see `networksWithout`), and the classifier without the group of these people
 * replaces the prior; if they are of several groups, there is no prior. Removes `known`, which nothing reads
 * afterwards.
 */
export function withoutRecognised(data: TrainingData): { data: TrainingData; warnings: string[] } {
  if (!isCompared(data)) return { data, warnings: [] };
  const { reference: _, ...rest } = data;
  const isRead = hasBank(data.features);
  const sketches = isRead ? sketchesOrNull() : null;
  const trained = sketches ? peopleOfNetworks(data, sketches) : [];
  const found = [...new Set([...trained, ...peopleOfPrior(data)])].sort();
  const prior = unseenPrior(data, found);
  const networks =
    isRead && !sketches
      ? { fields: { networksLost: reasonSentence('no_sketches', {}) }, sentences: [] }
      : unseenNetworks(data, found);
  const warning = [
    warningSentence('recognised', { names: listOf(found) }),
    ...prior.sentences,
    ...networks.sentences,
  ].join(' ');
  return { data: { ...rest, ...prior.fields, ...networks.fields }, warnings: found.length > 0 ? [warning] : [] };
}

/** Sketches of the training people of the networks; null: their file cannot be used, so that nobody is recognised. */
function sketchesOrNull(): MovementPeople | null {
  try {
    return movementPeople();
  } catch {
    return null;
  }
}

const listOf = (names: readonly string[]): string => `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`;

function unseenPrior({ reference }: TrainingData, people: readonly string[]): Unseen {
  if (!reference) return { fields: {}, sentences: [] };
  const { known, ...prior } = reference;
  const groups = new Set(known?.group.filter((_, p) => people.includes(known.names[p])));
  if (!known || groups.size === 0) return { fields: { reference: prior }, sentences: [] };
  if (groups.size > 1)
    return {
      fields: { referenceLost: reasonSentence('recognised', { names: listOf(people) }) },
      sentences: [warningSentence('recognised_left_out', {})],
    };
  const [group] = groups;
  const left = known.group.filter((own) => own === group).length;
  const others = Math.max(1, prior.people - left);
  return {
    fields: { reference: { ...prior, ...known.without[group], people: others } },
    sentences: [warningSentence('recognised_learned_again', { people: others })],
  };
}

/** Both are empty if the trials were not read for the networks, or if no network has seen these people. */
function unseenNetworks({ features }: TrainingData, people: readonly string[]): Unseen {
  const all = movementCard.networks;
  const networks = networksWithout(people);
  if (!hasBank(features) || networks.length === all) return { fields: {}, sentences: [] };
  if (networks.length > 0)
    return {
      fields: { networks },
      sentences: [warningSentence('recognised_networks', { left: networks.length, all })],
    };
  return {
    fields: { networksLost: reasonSentence('recognised_networks', { all, names: listOf(people) }) },
    sentences: [warningSentence('recognised_no_network', { all })],
  };
}
