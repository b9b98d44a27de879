import type { ThreadHandle } from './pool-thread.ts';

let running = 0;

/** Threads of closed pools that have not ended, for example during a system call that does not return. */
export const threadsThatDoNotEnd = (): number => running;

/** Ends threads and waits for them, at most `seconds`. */
export async function endThreads(threads: readonly ThreadHandle[], seconds: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, seconds * 1000);
  running += threads.length;
  const ended = threads.map(async (thread) => {
    await thread.terminate();
    running -= 1;
  });
  await Promise.race([Promise.all(ended), late.promise]);
  clearTimeout(timer);
}
