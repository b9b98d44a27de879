import { stat } from 'node:fs/promises';

const lookMs = 60_000;

export interface Following {
  readonly signal: AbortSignal;
  /** Called with the error when `renew` fails; the former state stays in use. */
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

/** Calls `renew` within a minute after one of `files` has changed, and again until it succeeds. Ends with `signal`. */
export function followFiles(
  files: readonly string[],
  renew: () => Promise<void> | void,
  { signal, onError: say, everyMs = lookMs }: Following,
): void {
  const stamp = async (): Promise<string> =>
    (await Promise.all(files.map((path) => stat(path)))).map(({ mtimeMs }) => mtimeMs).join();
  let seen: string | null = null;
  const look = async (): Promise<void> => {
    const now = await stamp();
    if (seen !== null && seen !== now) await renew();
    seen = now;
  };
  void look().catch(say);
  const timer = setInterval(() => void look().catch(say), everyMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
