/** The random generator mulberry32: numbers in [0, 1), equal for equal seeds. */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const mixed = [...list];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other], mixed[at]];
  }
  return mixed;
}

/**
 * Divides trials at random into as few batches as possible, of at most `largest` trials. The sizes differ by at most
 * one. Every batch contains every class that has at least as many trials as there are batches. Returns the indices of
 * the trials of each batch, ascending.
 */
export function stratifiedBatches(labels: readonly string[], largest: number, seed: number): number[][] {
  const random = randomOf(seed);
  const byClass = new Map<string, number[]>();
  for (const [trial, label] of labels.entries()) {
    const trials = byClass.get(label);
    if (trials) trials.push(trial);
    else byClass.set(label, [trial]);
  }
  const ordered = [...byClass.values()].flatMap((trials) => shuffled(trials, random));
  const count = Math.ceil(labels.length / largest);
  const batches = Array.from({ length: count }, (): number[] => []);
  for (const [at, trial] of ordered.entries()) batches[at % count].push(trial);
  return batches.map((batch) => batch.sort((one, other) => one - other));
}

/** Divides trials, in their order, into parts of at most `largest` trials. Returns the indices of each part. */
export const consecutiveBatches = (trials: number, largest: number): number[][] =>
  Array.from({ length: Math.ceil(trials / largest) }, (_, part) =>
    Array.from({ length: Math.min(largest, trials - part * largest) }, (_, trial) => part * largest + trial),
  );
