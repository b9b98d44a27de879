/** Draws the next number. Generators are seeded, so that the same trials give the same evidence every time. */
export type Random = () => number;

/** Generator of uniform numbers in [0, 1) from a seed (mulberry32, Ettinger 2017, public domain). */
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

/** Puts values in random order, in place, every order as likely as any other (Fisher–Yates; Durstenfeld 1964). */
export function shuffle<T extends { [index: number]: number; length: number }>(values: T, random: Random): T {
  for (let i = values.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    const held = values[i];
    values[i] = values[j];
    values[j] = held;
  }
  return values;
}
