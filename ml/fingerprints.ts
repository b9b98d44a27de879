import type { Fingerprints } from './types.ts';

/** Values of a sketch; see `Fingerprints`. */
export const sketchSize = 512;

type WholeTrials = Omit<Fingerprints, 'hashes' | 'at' | 'first'>;

/**
 * Fingerprints of trials, each as hash × samples + place, ascending within a trial, and what describes whole trials.
 */
export function packFingerprints(own: readonly Float64Array[], whole: WholeTrials): Fingerprints {
  const first = new Int32Array(own.length + 1);
  own.forEach(({ length }, t) => (first[t + 1] = first[t] + length));
  const hashes = new Uint32Array(first[own.length]);
  const at = new Int32Array(hashes.length);
  let place = 0;
  for (const prints of own) {
    for (let i = 0; i < prints.length; i += 1, place += 1) {
      hashes[place] = Math.floor(prints[i] / whole.samples);
      at[place] = prints[i] - hashes[place] * whole.samples;
    }
  }
  return { hashes, at, first, ...whole };
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
  return packFingerprints(own, {
    samples,
    rateHz,
    sketches: joined(
      parts.map(({ prints, rows }) => ({ table: prints.sketches, prints, rows })),
      Int8Array,
    ),
    levels: joined(
      parts.map(({ prints, rows }) => ({ table: prints.levels, prints, rows })),
      Float32Array,
    ),
  });
}

/** Levels of the trials at `rows`. */
export const levelsAt = (prints: Fingerprints, rows: Iterable<number>): Float32Array =>
  joined([{ table: prints.levels, prints, rows }], Float32Array);

/** Rows of several tables with one row for each trial, as one table. */
function joined<T extends Int8Array | Float32Array>(
  parts: readonly { readonly table: T; readonly prints: Fingerprints; readonly rows: Iterable<number> }[],
  Table: new (length: number) => T,
): T {
  const pieces = parts.flatMap(({ table, prints: { first }, rows }) => {
    const width = table.length / Math.max(1, first.length - 1);
    return Array.from(rows, (row) => table.subarray(row * width, (row + 1) * width));
  });
  const out = new Table(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
