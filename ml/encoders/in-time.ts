import type { Encoders } from './types.ts';

/** Encoders with a time limit in seconds, from their first graph on. After it a run rejects. */
export function inTime(encoders: Encoders, seconds: number): Encoders {
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
