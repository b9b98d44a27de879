import { setTimeout as sleep } from 'node:timers/promises';

/** Why a check fails, in words that callers may read: no address, secret or path. */
export class Unready extends Error {
  override readonly name = 'Unready';
}

/** Something that a process needs, and how it is found out whether it is there: `look` throws where it is not. */
export interface Check {
  /** To stand at the beginning of a sentence: "The database". */
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
  /** The last state as HTTP says it; made when a check changes, not when it is asked for. */
  readonly answer: { readonly status: 200 | 503; readonly body: string };
  readonly state: ReadyState;
  /** Not ready from now on: the process is about to end. */
  drain(): void;
  readonly draining: boolean;
  close(): void;
}

export interface ReadinessOptions {
  readonly checks: Readonly<Record<CheckName, Check>>;
  /** Pause between two looks of a check. */
  readonly everyMs?: number;
  /** A look that takes longer has failed. */
  readonly timeoutMs?: number;
  /** Hears of failures, but not of what only was not ready yet, with what was thrown; then of their end. */
  readonly onChange?: (name: CheckName, state: CheckState, error?: unknown) => void;
}

/** How soon a change shows, in seconds, with the usual times: two looks that fail, and the pauses before them. */
export const readinessSeconds = 10;
const usualMs = 2_000;
/** Looks that fail one after another until a check that was well fails. */
const failuresUntilDown = 2;

/**
 * Looks at every check in the background, one look of a check at a time, and keeps what was found, so that asking costs
 * nothing and reaches no server. The first success counts at once, a failure of what was well when it is repeated. A look
 * that goes on after its time fails for as long as it goes on.
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

/** One look: null where it succeeded in time, else the reason; what was thrown is for the log alone. */
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

/** A change in words for the log. */
export const describeCheck = (name: CheckName, { status, reason }: CheckState): string =>
  status === 'ok' ? `Ready check ${name} succeeds.` : `Ready check ${name} fails: ${reason}`;
