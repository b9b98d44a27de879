import type { Encoders } from './types.ts';

/** Encoders with a time limit in seconds, which starts with their first graph. After it every run rejects. */
export function withTimeLimit(encoders: Encoders, seconds: number): Encoders {
  let until: number | null = null;
  return (weights, onRun) => {
    const run = encoders(weights, onRun);
    return async (graph, inputs) => {
      until ??= performance.now() + seconds * 1000;
      if (performance.now() >= until)
        throw new Error(`Reading the trials took more than ${seconds} s, the most that one encoder may take of a fit.`);
      return await run(graph, inputs);
    };
  };
}

/**
 * Encoders whose waits for the runs of others are measured. `seconds`: time since this call without those waits. The
 * graphs must run one after another.
 */
export function withOwnTime(encoders: Encoders): { readonly encoders: Encoders; seconds(): number } {
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
