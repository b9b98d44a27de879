import type { Encoders } from './types.ts';

/**
 * Encoders that measure how long they wait for other runs. `seconds`: time since this call without those waits. Runs
 * one graph after another.
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
