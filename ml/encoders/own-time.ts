import type { Encoders } from './types.ts';

/**
 * Encoders whose waits for the runs of others are noted. `seconds`: passed since this was called, without those waits.
 * One graph is run after another.
 */
export function ownTime(encoders: Encoders): { readonly encoders: Encoders; seconds(): number } {
  const start = performance.now();
  let waitedMs = 0;
  return {
    encoders: (weights) => async (graph, inputs) => {
      const asked = performance.now();
      let ownMs = Infinity;
      const outputs = await encoders(weights, (seconds) => (ownMs = seconds * 1000))(graph, inputs);
      waitedMs += Math.max(0, performance.now() - asked - ownMs);
      return outputs;
    },
    seconds: () => (performance.now() - start - waitedMs) / 1000,
  };
}
