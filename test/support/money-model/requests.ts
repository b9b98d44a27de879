import type { Asked, Came } from './actions.ts';
import { cost, hold } from './fits.ts';
import { payDue, seen } from './hosting.ts';
import {
  affords,
  copyOf,
  hasRoom,
  newModel,
  only,
  payWindows,
  prices,
  runningJob,
  spans,
  type Branch,
  type Model,
  type State,
} from './state.ts';

/** The refusal of a request to a model that must be collecting or active; null: it is. */
export function refused(state: State, model: Model | undefined, wanted: 'collecting' | 'active' | null): number | null {
  if (state.suspended) return 403;
  const status = model ? seen(model, state.now) : 'none';
  if (status !== 'collecting' && status !== 'active') return 404;
  return wanted === null || status === wanted ? null : 422;
}

type Run = (state: State, action: any, model: Model, request: number) => Came;

const windowsOf = (state: State, count: number): number | null => {
  if (!hasRoom(state, count, state.now)) return 429;
  return affords(state, prices.window * BigInt(count), state.now) ? null : 402;
};
export const ends = (state: State, days: number | null): number | null =>
  days === null ? null : state.now + days * 86_400_000;

/** Effect of a request without faults. It changes the state only if it succeeds. */
const asked: Readonly<Record<Asked['do'], Run>> = {
  create(state, { days }, model, request) {
    if (state.suspended) return 403;
    if (!affords(state, cost, state.now)) return 402;
    Object.assign(model, newModel(), { status: 'fitting', expiresAt: ends(state, days) });
    hold(state, model, request);
    return 'running';
  },
  defer(state, { days, windows }, model) {
    if (state.suspended) return 403;
    const refusal = windowsOf(state, windows);
    if (refusal) return refusal;
    payWindows(state, windows, state.now);
    const collectUntil = state.now + spans.collect;
    Object.assign(model, newModel(), { status: 'collecting', collectUntil, expiresAt: ends(state, days), batches: 1 });
    return 201;
  },
  batch(state, { windows }, model) {
    const refusal =
      refused(state, model, 'collecting') ?? (runningJob(model) ? 409 : null) ?? windowsOf(state, windows);
    if (refusal) return refusal;
    payWindows(state, windows, state.now);
    model.batches += 1;
    return 200;
  },
  fit(state, _, model, request) {
    const refusal = refused(state, model, 'collecting');
    if (refusal) return refusal;
    if (runningJob(model)) return 409;
    if (model.expiresAt !== null && model.expiresAt <= state.now) return 422;
    if (model.job) return 409;
    if (!affords(state, cost, state.now)) return 402;
    hold(state, model, request);
    return 'running';
  },
  predict(state, { windows }, model) {
    const refusal = refused(state, model, 'active');
    if (refusal) return refusal;
    const after = copyOf(state);
    const same = after.models[state.models.indexOf(model)]!;
    if (!payDue(after, same)) return 402;
    const short = windowsOf(after, windows);
    if (short) return short;
    payWindows(after, windows, after.now);
    Object.assign(state, after);
    return 200;
  },
};

/** Runs a request under its key. */
export function ask(before: State, request: number): Branch {
  const state = copyOf(before);
  const { action, model, astray } = state.requests[request]!;
  const came = astray
    ? refused(state, undefined, null)!
    : asked[action.do](state, action, state.models[model]!, request);
  const note = state.requests[request]!;
  note.lockedUntil = came === 'running' ? Infinity : 0;
  note.since = state.now;
  note.answer = came === 200 || came === 201 ? came : null;
  return { came: [came], state };
}

/** Possible states after a request whose process failed in its course. */
export function broken(before: State, request: number): Branch[] {
  const none = copyOf(before);
  const until = none.now + spans.lock;
  none.requests[request]!.lockedUntil = until;
  const whole = ask(before, request);
  const { action, model } = none.requests[request]!;
  if (whole.came![0] !== 'running') return [none, whole.state].map((state) => ({ came: null, state }));
  const begun = copyOf(whole.state);
  const orphanedAt = action.keyed ? null : action.fault!.kind === 'loss' ? begun.now : until;
  Object.assign(begun.models[model]!.job!, { awaited: false, connected: false, orphanedAt });
  begun.requests[request]!.lockedUntil = until;
  return [{ came: null, state: none }, { came: null, state: begun }, whole];
}

/** The same request again, under its key. */
export function again(state: State, request: number): Branch[] {
  const { answer, since, lockedUntil, model } = state.requests[request]!;
  if (state.suspended) return only(state, 403);
  const kept = state.now < since + spans.keys;
  /** Answers go with their model: at once, or when the worker cleans up what a process that died left. */
  const isRemoved = ['deleted', 'expired'].includes(state.models[model]!.status);
  if (answer !== null && kept) return isRemoved ? only(state, answer, 404) : only(state, answer);
  const job = runningJob(state.models[model]!);
  if (lockedUntil === Infinity && job?.awaited) return only(state, 409);
  const anew = (): Branch[] => [ask(state, request)];
  const locked = state.now < lockedUntil ? only(state, 409) : [];
  if (answer !== null) return [...only(state, answer, 404), ...anew()];
  if (job?.request !== request) return [...locked, ...anew()];
  const joined = copyOf(state);
  Object.assign(joined.models[model]!.job!, { awaited: true, connected: true });
  joined.requests[request]!.lockedUntil = Infinity;
  return [...locked, { came: ['running'], state: joined }];
}
