import { packedAt, packedSize } from '../geometry/index.ts';
import type { PersonFeatures } from './types.ts';

/**
 * A person's features for the electrodes among `names`, in the order of the recordings. `alloc` allocates the array.
 */
export function chooseElectrodes(
  person: PersonFeatures,
  names: readonly string[],
  alloc: (length: number) => Float32Array = (length) => new Float32Array(length),
): PersonFeatures {
  const { electrodes, kind, values, steps, first } = person;
  const at = electrodes.flatMap((name, i) => (names.includes(name) ? [i] : []));
  const all = electrodes.length;
  const places = kind === 'means' ? at : at.flatMap((a, i) => at.slice(i).map((b) => packedAt(a, b, all)));
  const columns = (table: Float32Array, width: number, some: readonly number[]): Float32Array => {
    const out = alloc(first.at(-1)! * some.length);
    for (let i = 0; i < out.length; i += 1) out[i] = table[Math.floor(i / some.length) * width + some[i % some.length]];
    return out;
  };
  return {
    ...person,
    electrodes: at.map((i) => electrodes[i]),
    values: columns(values, kind === 'means' ? all : packedSize(all), places),
    steps: columns(steps, all, at),
  };
}
