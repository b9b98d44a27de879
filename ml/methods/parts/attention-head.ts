import { decideAttention } from '../attention/decide.ts';
import type { AttentionHead } from '../attention/decide.ts';
import { learnAttention } from '../attention/learn.ts';
import { prepareTensors } from '../descent/tensors.ts';
import { atLeastTrialsPerClass } from '../reasons.ts';
import type { Head } from '../types.ts';
import type { Classifier } from './types.ts';

/**
 * Attention over consecutive tokens of `width` values in the vectors, then one dense layer. Trained by TensorFlow.js
 * with class weights of equal total.
 */
export const attentionHead = (width: number): Classifier => ({
  unreadable: atLeastTrialsPerClass(10, 'an attention head that is trained'),
  prepare: prepareTensors,
  fit: ({ data: x, columns: dimension }, labels, classes, _workspace, sessions) => {
    if (dimension % width !== 0)
      throw new RangeError(`Vectors of ${dimension} numbers are not tokens of ${width} numbers each.`);
    return { ...learnAttention({ x, width, labels, classes, sessions: sessions ?? null }) } satisfies Head;
  },
  decide: (head, vectors) => decideAttention(head as unknown as AttentionHead, vectors),
});
