import { packedSize } from '../geometry/index.ts';
import { prepareTensors } from './descent/tensors.ts';
import type { HeadValue, Method } from './types.ts';
import { bankSet } from './network/bank.ts';
import { floor } from './network/graph.ts';
import { learn } from './network/learn.ts';
import type { Learned } from './network/learn.ts';
import { power } from './network/power.ts';
import {
  atLeastChannels,
  atLeastRate,
  atLeastTrials,
  atLeastTrialsPerClass,
  atMostChannels,
  firstOf,
  longEnoughFor,
} from './reasons.ts';

/**
 * Spatial filters of nine bands and one dense layer on their log powers, trained together in TensorFlow.js. The filters
 * start as common spatial patterns.
 */
export const filterBankNetwork: Method = {
  id: 'filter-bank-network',
  version: '1',
  title: 'Filter-bank network (learned spatial filters, log power, softmax)',
  source: 'Schirrmeister et al. 2017, Hum. Brain Mapp. 38(11); Ang et al. 2008, IJCNN',
  family: 'filter-bank network',
  kinds: ['motor', 'other'],
  unreadable: firstOf(
    atLeastTrials(300, 'a network that trains its filters'),
    atLeastTrialsPerClass(60, 'a network that trains its filters'),
    atLeastChannels(2, 'spatial filters'),
    atMostChannels(32, 'its filters'),
    longEnoughFor(bankSet),
    atLeastRate(20),
  ),
  prepare: prepareTensors,
  featureSets: () => [bankSet],
  fit: ({ data, rows }) => ({ ...(learn(data, rows) as Learned & Record<string, HeadValue>) }),
  decide: (head, features, rows) => decide(head as unknown as Learned, features.sets[bankSet], rows),
};

/** Log-probabilities [rows × classes], computed trial by trial in float64. */
function decide(
  { p, bands, count, filters, mean, gain, weights, bias }: Learned,
  covariances: Float64Array,
  rows: Int32Array,
): Float64Array {
  const classes = bias.length;
  const units = bands * count;
  const size = packedSize(p);
  const out = new Float64Array(rows.length * classes);
  rows.forEach((row, i) => {
    const own = out.subarray(i * classes, (i + 1) * classes);
    own.set(bias);
    for (let u = 0; u < units; u += 1) {
      const at = (row * bands + Math.floor(u / count)) * size;
      const z = (Math.log(power(covariances, at, filters, u * p, p) + floor) - mean[u]) * gain[u];
      for (let k = 0; k < classes; k += 1) own[k] += z * weights[u * classes + k];
    }
    const top = own.reduce((a, b) => Math.max(a, b));
    const total = Math.log(own.reduce((sum, v) => sum + Math.exp(v - top), 0)) + top;
    for (let k = 0; k < classes; k += 1) own[k] -= total;
  });
  return out;
}
