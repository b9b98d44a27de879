import type { Action, Asked, Came } from './actions.ts';
import { die, leave, sweep, work } from './fits.ts';
import { renewUnpaid, settle } from './hosting.ts';
import { again, ask, broken, ends, refused } from './requests.ts';
import { copyOf, newModel, only, type Branch, type Model, type State } from './state.ts';

const usd = (value: number | null): bigint | null => (value === null ? null : BigInt(value) * 1_000_000n);

type Of<K extends Action['do']> = Extract<Action, { do: K }>;
type Rule<K extends Action['do']> = (state: State, action: Of<K>, hit: boolean) => Branch[];
type Change<A> = (state: State, action: A, model: Model | undefined) => Came;

/** A rule of one transaction: after a fault, it happened completely or not at all. */
const whole =
  <A extends Action>(change: Change<A>) =>
  (before: State, action: A, hit: boolean): Branch[] => {
    const state = copyOf(before);
    const came = change(state, action, 'model' in action ? state.models[action.model] : undefined);
    return hit ? [before, state].map((each) => ({ came: null, state: each })) : only(state, came);
  };

const asked = (state: State, action: Asked, hit: boolean): Branch[] => {
  const model = 'model' in action ? action.model : state.models.length;
  if (model === state.models.length) state.models.push(newModel());
  const astray = 'model' in action && state.models[model]!.status === 'none';
  state.requests.push({ action, model, astray, answer: null, since: state.now, lockedUntil: 0 });
  const request = state.requests.length - 1;
  return hit ? broken(state, request) : [ask(state, request)];
};

/** The contract's rule for each action. */
const rules: { readonly [K in Action['do']]: Rule<K> } = {
  create: asked,
  defer: asked,
  batch: asked,
  fit: asked,
  predict: asked,
  again: (state, { request }) => again(state, request),
  work,
  sweep: (state, _, hit) => sweep(state, hit),
  delete: whole((_, __, model) => {
    if (!model || model.status === 'none' || model.status === 'fitting') return 404;
    if (model.status !== 'deleted') Object.assign(model, { status: 'deleted', unpaidSince: null, retryAt: null });
    return 200;
  }),
  expire: whole<Of<'expire'>>((state, { days }, model) => {
    const refusal = refused(state, model, null);
    if (refusal) return refusal;
    model!.expiresAt = ends(state, days);
    return 200;
  }),
  leave: whole((state, _, model) => leave(state, model)),
  die: whole((state, _, model) => die(state, model)),
  settle: whole((state, _, model) => {
    if (!model || model.status === 'none') return 'nothing';
    settle(state, model);
    return 'done';
  }),
  credit: whole<Of<'credit'>>((state, { usd: amount }) => {
    if (state.available + usd(amount)! < 0n) return 'refused';
    state.available += usd(amount)!;
    renewUnpaid(state);
    return 'done';
  }),
  caps: whole<Of<'caps'>>((state, { daily, monthly, windows }) => {
    state.caps = { daily: usd(daily), monthly: usd(monthly), windows };
    renewUnpaid(state);
    return 'done';
  }),
  suspend: whole((state) => {
    state.suspended = true;
    return 'done';
  }),
  resume: whole((state) => {
    state.suspended = false;
    return 'done';
  }),
  wait: whole<Of<'wait'>>((state, { hours }) => {
    state.now += hours * 3_600_000;
    return 'done';
  }),
};

/** Possible results of an action, one second after `before`. `hit`: its process had its fault. */
export function branches(before: State, action: Action, hit: boolean): Branch[] {
  const state = copyOf(before);
  state.now += 1_000;
  return (rules[action.do] as Rule<Action['do']>)(state, action, hit);
}
