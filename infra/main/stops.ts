/** Something that was started and can be stopped. */
export interface Part {
  stop(): Promise<void>;
}

/** Collects what has to be stopped, and stops it in the reverse order of its start. */
export function createStops() {
  const stops: (() => Promise<void>)[] = [];
  return {
    /** With `seconds`, goes on to the next after that time. */
    add(stop: () => Promise<unknown>, seconds?: number): void {
      stops.unshift(async () => {
        const late = Promise.withResolvers<void>();
        const timer = seconds === undefined ? undefined : setTimeout(() => late.resolve(), seconds * 1000);
        await Promise.race([stop(), late.promise]);
        clearTimeout(timer);
      });
    },
    async stop(): Promise<void> {
      const failures: unknown[] = [];
      for (const stop of stops.splice(0)) await stop().catch((error: unknown) => failures.push(error));
      if (failures.length) throw failures[0];
    },
  };
}

/** Like Promise.all, but waits for all before it throws, so that nothing is left half started. */
export async function settleAll<T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(work);
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
