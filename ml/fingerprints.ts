import type { Fingerprints } from './types.ts';

/** Fingerprints of trials, each as hash × samples + place, ascending within a trial. */
export function packFingerprints(own: readonly Float64Array[], samples: number, rateHz: number): Fingerprints {
  const first = new Int32Array(own.length + 1);
  own.forEach(({ length }, t) => (first[t + 1] = first[t] + length));
  const hashes = new Uint32Array(first[own.length]);
  const at = new Int32Array(hashes.length);
  let place = 0;
  for (const prints of own) {
    for (let i = 0; i < prints.length; i += 1, place += 1) {
      hashes[place] = Math.floor(prints[i] / samples);
      at[place] = prints[i] - hashes[place] * samples;
    }
  }
  return { hashes, at, first, samples, rateHz };
}

/** The fingerprints of the trials at `rows` of each part, in this order, as those of one list; all have one length. */
export function joinFingerprints(
  parts: readonly { readonly prints: Fingerprints; readonly rows: Iterable<number> }[],
): Fingerprints {
  const [
    {
      prints: { samples, rateHz },
    },
  ] = parts;
  const own = parts.flatMap(({ prints: { hashes, at, first }, rows }) =>
    Array.from(rows, (row) =>
      Float64Array.from(hashes.subarray(first[row], first[row + 1]), (hash, i) => hash * samples + at[first[row] + i]),
    ),
  );
  return packFingerprints(own, samples, rateHz);
}
