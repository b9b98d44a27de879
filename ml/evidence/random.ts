/** Seeded generator of uniform numbers in [0, 1) (mulberry32): the same evidence from the same trials, every time. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Fisher–Yates, in place. */
export function shuffle<T extends { [index: number]: number; length: number }>(values: T, random: Random): T {
  for (let i = values.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    const held = values[i];
    values[i] = values[j];
    values[j] = held;
  }
  return values;
}
