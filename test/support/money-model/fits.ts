import type { Action, Came } from './actions.ts';
import { copyOf, note, only, prices, spans, type Branch, type Job, type Model, type State } from './state.ts';

/** What a fit costs with its first month. */
export const cost = prices.createFee + prices.month;

/** Reserves the cost of a fit for a job. */
export function hold(state: State, model: Model, request: number): void {
  state.available -= cost;
  state.reserved += cost;
  model.job = {
    reservedAt: state.now,
    awaited: true,
    connected: true,
    orphanedAt: null,
    request,
    fate: null,
    ended: false,
  };
}

/** Releases the reserved credit of a job that ends without a model. */
function giveUp(state: State, model: Model, answer: number | null): void {
  const { request } = model.job!;
  state.available += cost;
  state.reserved -= cost;
  if (model.status === 'fitting') model.status = 'none';
  model.job = null;
  Object.assign(state.requests[request]!, { answer, lockedUntil: 0 });
}

/** Ends a job. Returns the statuses that its waiting callers may get. */
function endJob(state: State, model: Model, fate: NonNullable<Job['fate']>): readonly number[] {
  const { how } = fate;
  const { request } = model.job!;
  // A model is fitted when that is written down, which may be later than its workflow decided it.
  const at = Math.max(fate.at, state.now);
  const born = model.status === 'fitting';
  const gone = model.status !== 'fitting' && model.status !== 'collecting';
  if (how === 'fits' && !gone && (model.expiresAt === null || model.expiresAt > at)) {
    state.reserved -= cost;
    note(state, cost, at);
    Object.assign(model, {
      status: 'active',
      fees: 1,
      months: 1,
      paidThrough: at + spans.month,
      collectUntil: null,
      job: null,
    });
    const answer = born ? 201 : 200;
    Object.assign(state.requests[request]!, { answer, lockedUntil: 0 });
    return [answer];
  }
  // The answer of a job goes with its model.
  const statuses = gone ? [404] : { fits: [404, 422], fails: [422], faults: [502] }[how];
  giveUp(state, model, how === 'fails' && !gone ? 422 : null);
  return statuses;
}

/** A job comes to its end, as its workflow once decided. */
export function work(before: State, { model: at, how }: Extract<Action, { do: 'work' }>, hit: boolean): Branch[] {
  const job = before.models[at]?.job;
  if (!job) return only(before, 'nothing');
  const fated = copyOf(before);
  const same = fated.models[at]!;
  const fate = (same.job!.fate ??= { how, at: before.now });
  const cameFor = (answers: readonly number[]): readonly Came[] => (job.connected ? answers : ['done']);
  if (job.ended) {
    const notified = copyOf(fated);
    notified.models[at]!.job = null;
    const ends = [{ came: cameFor([200, 201, 404, 422, 502]), state: notified }];
    return hit ? [{ came: ['nothing'], state: fated }, ...ends] : ends;
  }
  const done = copyOf(fated);
  const ends: Branch[] = [{ came: cameFor(endJob(done, done.models[at]!, fate)), state: done }];
  if (job.orphanedAt !== null && (hit || job.orphanedAt <= before.now)) ends.splice(hit ? 1 : 0, 1, given(fated, at));
  if (!hit) return ends;
  return [fated, ...ends.map(({ state }) => unheard(state, at, job))].map((state) => ({ came: null, state }));
}

/** The end of a job is committed, but its workflow does not know it yet. */
function unheard(before: State, at: number, job: Job): State {
  const state = copyOf(before);
  state.models[at]!.job = { ...job, ended: true };
  return state;
}

const given = (before: State, at: number): Branch => {
  const state = copyOf(before);
  giveUp(state, state.models[at]!, null);
  return { came: null, state };
};

/** Ends jobs that run too long, and those without a waiting caller; workflows learn which jobs have ended. */
export function sweep(before: State, hit: boolean): Branch[] {
  const notified = copyOf(before);
  for (const model of notified.models) if (model.job?.ended) model.job = null;
  let states = [notified];
  notified.models.forEach(({ job }, at) => {
    if (!job) return;
    const orphaned = job.orphanedAt !== null && job.orphanedAt <= notified.now;
    const overdue = notified.now - job.reservedAt > spans.fit;
    if (orphaned || overdue) states = states.flatMap((state) => [...(hit ? [state] : []), given(state, at).state]);
  });
  return states.map((state) => ({ came: null, state }));
}

/** The caller hangs up: without a key the job ends, unless its capture has committed. */
export function leave(state: State, model: Model | undefined): Came {
  const job = model?.job;
  if (!model || !job?.connected) return 'nothing';
  job.connected = false;
  if (state.requests[job.request]!.action.keyed) return 'nothing';
  if (job.ended) model.job = null;
  else giveUp(state, model, null);
  return 'nothing';
}

/** The process of the request that waits dies. */
export function die(state: State, model: Model | undefined): Came {
  const job = model?.job;
  if (!job?.awaited) return 'nothing';
  const request = state.requests[job.request]!;
  const until = state.now + spans.lock;
  Object.assign(job, { awaited: false, connected: false, orphanedAt: request.action.keyed ? null : until });
  if (request.lockedUntil === Infinity) request.lockedUntil = until;
  return 'nothing';
}
