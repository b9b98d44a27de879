import { isDeepStrictEqual } from 'node:util';
import type { FittedModel } from '../../ml/train/index.ts';

type Head = FittedModel['head'];
type HeadValue = Head[string];

/**
 * Merges equal representations in a stored average into one object, as they were when it was fitted. Members with the
 * same representation then compute their features of a trial once (`vectorsOf` in `ml/methods/parts`). No number
 * changes.
 */
export function mergeRepresentations(model: FittedModel): FittedModel {
  const heads = model.members && (model.head['members'] as readonly Head[] | undefined);
  if (!heads) return model;
  const distinct: HeadValue[] = [];
  const merged = (one: HeadValue): HeadValue => {
    const same = distinct.find((each) => isDeepStrictEqual(each, one));
    if (same === undefined) distinct.push(one);
    return same ?? one;
  };
  const members = heads.map((head): Head =>
    head['representation'] === undefined ? head : { ...head, representation: merged(head['representation']) },
  );
  return { ...model, head: { ...model.head, members } };
}
