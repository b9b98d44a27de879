const pauseMs = 1_000;

/** Runs `work` at most once a second while it is asked for, one at a time; what fails is told by `end`. */
export function paced(work: () => Promise<void>): { soon(): void; end(): Promise<void> } {
  let running = Promise.resolve();
  let busy = false;
  let last = Number.NEGATIVE_INFINITY;
  return {
    soon() {
      if (busy || performance.now() - last < pauseMs) return;
      busy = true;
      last = performance.now();
      running = running.then(work).finally(() => (busy = false));
      running.catch(() => undefined);
    },
    end: () => running,
  };
}
