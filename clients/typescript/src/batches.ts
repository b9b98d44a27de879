/** Numbers in [0, 1) that are the same for the same seed (the generator mulberry32). */
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
 * Divides trials into as few batches of at most `most` as there can be, of sizes that differ by one: the trials of each
 * class are shuffled and dealt out in turn, so that every batch holds every class that has a trial for each.
 * Indices of trials, ascending within a batch.
 */
export function stratifiedBatches(labels: readonly string[], most: number, seed: number): number[][] {
  const random = randomOf(seed);
  const byClass = new Map<string, number[]>();
  for (const [trial, label] of labels.entries()) {
    const trials = byClass.get(label);
    if (trials) trials.push(trial);
    else byClass.set(label, [trial]);
  }
  const dealt = [...byClass.values()].flatMap((trials) => shuffled(trials, random));
  const count = Math.ceil(labels.length / most);
  const batches = Array.from({ length: count }, (): number[] => []);
  for (const [at, trial] of dealt.entries()) batches[at % count].push(trial);
  return batches.map((batch) => batch.sort((one, other) => one - other));
}

/** Runs of at most `most` trials, in the order of the trials. */
export const runsOf = (trials: number, most: number): number[][] =>
  Array.from({ length: Math.ceil(trials / most) }, (_, run) =>
    Array.from({ length: Math.min(most, trials - run * most) }, (_, trial) => run * most + trial),
  );
