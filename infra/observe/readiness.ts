import { setTimeout as sleep } from 'node:timers/promises';

/** A failed check. Callers may read the reason: it contains no address, secret or path. */
export class Unready extends Error {
  override readonly name = 'Unready';
}

/** A dependency of a process and how to test it: `look` throws if it is not available. */
export interface Check {
  /** Subject of a sentence: "The database". */
  readonly words: string;
  readonly look: () => Promise<unknown>;
}

export const checkNames = ['database', 'temporal', 'store', 'threads'] as const;
export type CheckName = (typeof checkNames)[number];

export interface CheckState {
  readonly status: 'ok' | 'failing';
  readonly reason?: string;
}

export interface ReadyState {
  /** `starting`: not every check has succeeded yet; `unavailable`: one fails now, or the process is about to end. */
  readonly status: 'ready' | 'starting' | 'unavailable';
  readonly checks: Readonly<Record<CheckName, CheckState>>;
}

export interface Readiness {
  /** The last state as an HTTP response. It is built when a check changes, not per request. */
  readonly answer: { readonly status: 200 | 503; readonly body: string };
  readonly state: ReadyState;
  /** Reports "not ready" from now on, because the process is about to end. */
  drain(): void;
  readonly draining: boolean;
  close(): void;
}

export interface ReadinessOptions {
  readonly checks: Readonly<Record<CheckName, Check>>;
  /** Interval of a check, in milliseconds. */
  readonly everyMs?: number;
  /** Timeout of a check, in milliseconds. */
  readonly timeoutMs?: number;
  /**
   * Called with the error when a check fails, except while the process only starts, and again when the check recovers.
   */
  readonly onChange?: (name: CheckName, state: CheckState, error?: unknown) => void;
}

/** Seconds until a failure shows with the usual times: two failed checks and the pauses before them. */
export const readinessSeconds = 10;
const usualMs = 2_000;
/** Consecutive failures until a healthy check counts as failing. */
const failuresUntilDown = 2;

/**
 * Runs every check in the background, one run of a check at a time, and stores the results, so that a request costs
 * nothing and contacts no server. The first success counts at once; a healthy check fails after repeated failures. A
 * run that exceeds its timeout counts as failing until it ends.
 */
export function watchReadiness({
  checks,
  everyMs = usualMs,
  timeoutMs = usualMs,
  onChange = () => undefined,
}: ReadinessOptions): Readiness {
  const end = new AbortController();
  const now = Object.fromEntries(
    checkNames.map((name) => [name, { status: 'failing', reason: `${checks[name].words} was not looked at yet.` }]),
  ) as Record<CheckName, CheckState>;
  let wasReady = false;
  let draining = false;
  let state: ReadyState;
  let answer: Readiness['answer'];

  const render = (): void => {
    const well = checkNames.every((name) => now[name].status === 'ok');
    wasReady ||= well;
    const status = draining ? 'unavailable' : well ? 'ready' : wasReady ? 'unavailable' : 'starting';
    state = { status, checks: { ...now } };
    answer = { status: status === 'ready' ? 200 : 503, body: JSON.stringify(state) };
  };
  const follow = async (name: CheckName): Promise<void> => {
    let failureReported = false;
    let goesOn = false;
    const { words } = checks[name];
    const run = async (): Promise<void> => {
      goesOn = true;
      try {
        await checks[name].look();
      } finally {
        goesOn = false;
      }
    };
    for (let failures = 0; !end.signal.aborted; await sleep(everyMs, undefined, { ref: false, signal: end.signal })) {
      const { error, reason }: Looked = goesOn
        ? { reason: lateReason(words, timeoutMs) }
        : await look({ words, look: run }, timeoutMs, end.signal);
      failures = reason === null ? 0 : failures + 1;
      const before = now[name];
      if (reason !== null && before.status === 'ok' && failures < failuresUntilDown) continue;
      now[name] = reason === null ? { status: 'ok' } : { status: 'failing', reason };
      if (before.status === now[name].status && before.reason === now[name].reason) continue;
      render();
      const report: boolean = reason === null ? failureReported : wasReady || !(error instanceof Unready);
      failureReported = reason !== null && report;
      if (report) onChange(name, now[name], error);
    }
  };
  render();
  for (const name of checkNames) void follow(name).catch(() => undefined);
  return {
    get answer() {
      return answer;
    },
    get state() {
      return state;
    },
    get draining() {
      return draining;
    },
    drain() {
      draining = true;
      render();
    },
    close: () => end.abort(),
  };
}

interface Looked {
  readonly reason: string | null;
  readonly error?: unknown;
}

const lateReason = (words: string, timeoutMs: number): string =>
  `${words} gave no answer within ${timeoutMs / 1000} s.`;

/** One run of a check: null if it succeeded in time, else the reason. The thrown error is only for the log. */
async function look({ words, look: run }: Check, timeoutMs: number, ended: AbortSignal): Promise<Looked> {
  const late = new AbortController();
  const timeout = sleep(timeoutMs, lateReason(words, timeoutMs), {
    ref: false,
    signal: AbortSignal.any([late.signal, ended]),
  });
  const looked = (async () => run())().then(
    () => ({ reason: null }),
    (error: unknown) => ({
      error,
      reason: error instanceof Unready ? error.message : `${words} could not be reached or used.`,
    }),
  );
  const gaveUp = timeout.then((reason) => ({ reason }));
  gaveUp.catch(() => undefined);
  try {
    return await Promise.race([looked, gaveUp]);
  } finally {
    late.abort();
  }
}

/** Describes a change of a check for the log. */
export const describeCheck = (name: CheckName, { status, reason }: CheckState): string =>
  status === 'ok' ? `Ready check ${name} succeeds.` : `Ready check ${name} fails: ${reason}`;
