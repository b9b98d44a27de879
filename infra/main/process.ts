import { FileFault } from '../downloads/fault.ts';
import { ConfigError } from '../drivers/config.ts';
import { threadsThatDoNotEnd } from '../drivers/threads/ending.ts';
import { ReferenceFault } from '../recordings/reference-data/fault.ts';
import { collectWhenIdle, growHeaps } from './heaps.ts';
import { DataDirInUse } from './stack-file.ts';
import { stopSeconds, stopSignals, type StopSignal } from './stops.ts';

/** Ends with a message for a problem that a person can solve, with a stack for a bug. */
function reportFailure(error: unknown): void {
  const plain =
    error instanceof ConfigError ||
    error instanceof DataDirInUse ||
    error instanceof FileFault ||
    error instanceof ReferenceFault ||
    (error instanceof Error && error.name === 'UsageError');
  console.error(plain || !(error instanceof Error) ? (error as Error).message : (error.stack ?? error.message));
}

/**
 * Runs `main` until it ends or a signal arrives, then the functions registered with `onStop`, the last first. A second
 * signal ends the process at once. The exit code is 0 if the stop was requested.
 */
export async function runProcess(
  main: (process: {
    onStop(stop: (signal: StopSignal | null) => Promise<unknown>): void;
    untilStopped: Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  growHeaps();
  collectWhenIdle();
  const stops: ((signal: StopSignal | null) => Promise<unknown>)[] = [];
  const asked = Promise.withResolvers<void>();
  let first: StopSignal | null = null;
  let askedTimes = 0;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      askedTimes++;
      first ??= signal;
      // A terminal's Ctrl-C reaches us twice under npm: once from the terminal, once passed on.
      if (askedTimes === 1) setTimeout(() => (askedTimes = 2), 1_000).unref();
      else if (askedTimes > 2) exit(130);
      asked.resolve();
    });
  }
  let code = 0;
  try {
    await Promise.race([main({ onStop: (stop) => stops.unshift(stop), untilStopped: asked.promise }), asked.promise]);
  } catch (error) {
    code = 1;
    reportFailure(error);
  }
  // Work that still runs may fail when its resources have been stopped.
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, () => undefined);
  const late = setTimeout(() => {
    console.error(`Stopping took more than ${stopSeconds} seconds; ending now.`);
    exit(1);
  }, stopSeconds * 1000);
  for (const stop of stops) {
    await stop(first).catch((error: unknown) => {
      code = 1;
      reportFailure(error);
    });
  }
  clearTimeout(late);
  exit(code);
}

/** Ends the process. Node alone would wait for threads that never end. */
function exit(code: number): never {
  if (threadsThatDoNotEnd() > 0) {
    console.error('A thread does not end, as where a disk does not answer: the process is killed.');
    process.kill(process.pid, 'SIGKILL');
  }
  process.exit(code);
}
