import type { ActivityDeps } from '../../activities/deps.ts';

type Threads = ActivityDeps['threads'];

/** Threads whose fitted models need one pin more. */
export function withPin(threads: Threads, pin: string): Threads {
  const run = async (...[task, ...rest]: Parameters<Threads['run']>): Promise<unknown> => {
    const result: unknown = await threads.run(task, ...rest);
    return task === 'assemble'
      ? { ...(result as object), pins: [...(result as { pins: string[] }).pins, pin] }
      : result;
  };
  return { ...threads, run: run as Threads['run'] };
}
