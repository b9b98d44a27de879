import { stat } from 'node:fs/promises';

const lookMs = 60_000;

export interface Following {
  readonly signal: AbortSignal;
  /** Told when `renew` failed: what was there before stays. */
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

/** Calls `renew` within a minute of a change of one of `files`, and again until it works. Ends with `signal`. */
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
