import { describe, expect, it } from 'vitest';
import { dataSets, peopleOf } from '../../infra/contract/reference-data/data-sets.ts';
import { movementCard, networksWithout } from '../../ml/encoders/movement/index.ts';

const { folds } = movementCard;

describe('networks that have not seen some people', () => {
  it('are the network of the fold of a training person', () => {
    for (const [n, people] of folds.entries())
      for (const person of people) expect([...networksWithout([person])]).toEqual([n]);
  });

  it('are the network of the fold of several people of one fold, also beside people of none', () => {
    expect([...networksWithout([...folds[3]!, 'S001'])]).toEqual([3]);
  });

  it('are all networks for nobody, the sample recording and people above S060', () => {
    for (const people of [[], ['S001'], ['S061', 'S109']])
      expect([...networksWithout(people)]).toEqual([0, 1, 2, 3, 4]);
  });

  it('are none for people of two folds', () => {
    expect([...networksWithout([folds[0]![0]!, folds[1]![0]!])]).toEqual([]);
  });
});

it('no other data set has a person with the name of a training person', () => {
  const trained = new Set(folds.flat());
  const named = dataSets.filter((set) => peopleOf(set).some((person) => trained.has(person)));
  expect(named.map(({ id }) => id)).toEqual(['eegmmidb']);
});
