import { createHash } from 'node:crypto';
import { shippedWeights } from '../../infra/encoders/shipped-weights.ts';
import { movementCard, provideMovementWeights } from '../../ml/encoders/movement/index.ts';
import { createRandom } from '../../ml/random.ts';
import { safetensorsOf } from './safetensors.ts';

/** Hash of weights of the movement network that nobody trained; it belongs to no file. */
export const standInMovement = '4'.repeat(64);

/**
 * Untrained weights in the form of the shipped ones, the same every time. `copied`: every network is a copy of this one.
 */
function standInWeights(copied?: number): Uint8Array {
  const { sites, bands, windows, filters, networks, heads } = movementCard;
  const tensors: Record<string, { dims: readonly number[]; data: Float32Array }> = {};
  const put = (name: string, dims: readonly number[], of?: (i: number) => number): void => {
    const source = copied === undefined ? name : name.replace(/^\d/, `${copied}`);
    const random = createRandom(createHash('sha256').update(source).digest().readUInt32LE());
    const value = of ?? (() => random() - 0.5);
    const size = dims.reduce((product, dim) => product * dim, 1);
    tensors[name] = { dims, data: Float32Array.from({ length: size }, (_, i) => value(i)) };
  };
  const [K, E, hidden] = [bands.length, sites.length, 8];
  for (let n = 0; n < networks; n += 1) {
    put(`${n}.filters`, [K, filters, E]);
    put(`${n}.scale`, [K, filters], () => 1);
    put(`${n}.shift`, [K, filters], () => 0);
    put(`${n}.dense.weight`, [hidden, K * windows.length * filters]);
    put(`${n}.dense.bias`, [hidden]);
    for (const head of Object.keys(heads)) {
      put(`${n}.${head}.weight`, [1, hidden]);
      put(`${n}.${head}.bias`, [1], () => 0);
    }
  }
  put('centre', [K, E, E], (i) => (i % E === Math.floor(i / E) % E ? 40 : 10));
  return safetensorsOf(tensors);
}

/**
 * The threads of a test read the untrained weights by their hash, and the shipped ones by theirs. Tests of one thread
 * share this, so each one provides both. `copied`: every untrained network is a copy of this one. `people`: the file of
 * sketches; default: the shipped one.
 */
export const provideStandInMovement = (copied?: number, people?: Uint8Array): void =>
  provideMovementWeights((hash) => {
    if (hash === standInMovement) return standInWeights(copied);
    return people && hash === movementCard.people.sha256 ? people : shippedWeights(hash);
  });
