import type { Asked, Came, How } from './actions.ts';

/** The money of the contract, in micro-dollars. */
export const prices = { createFee: 1_000_000n, month: 1_000_000n, window: 3_000n, newAccount: 5_000_000n } as const;

const hour = 3_600_000;
export const day = 24 * hour;
export const spans = {
  month: 30 * day,
  collect: 7 * day,
  grace: 7 * day,
  lock: 60_000,
  keys: 30 * day,
  fit: 6 * hour,
} as const;

/** A fit that credit is held for. */
export interface Job {
  /** When the credit was held (Unix milliseconds, as everywhere here). */
  readonly heldAt: number;
  /** The process of its request lives and waits for its answer. */
  awaited: boolean;
  /** Its caller is there to be told. */
  heard: boolean;
  /** When it must end without a charge, because nobody waits for it and it has no key; null: not. */
  orphanedAt: number | null;
  /** The request that began it. */
  readonly request: number;
  fate: { readonly how: How; readonly at: number } | null;
  /** Its end is committed, and its workflow has not heard of it. */
  ended: boolean;
}

export interface Model {
  status: 'none' | 'fitting' | 'collecting' | 'active' | 'expired' | 'deleted';
  collectUntil: number | null;
  paidThrough: number | null;
  expiresAt: number | null;
  unpaidSince: number | null;
  retryAt: number | null;
  fees: number;
  months: number;
  batches: number;
  job: Job | null;
}

/** A request, and what is known of its Idempotency-Key. */
export interface Request {
  readonly action: Asked;
  readonly model: number;
  /** It names a model that was not there when it was first sent, and names that id for ever. */
  readonly astray: boolean;
  /** The answer that is kept under its key. */
  answer: number | null;
  since: number;
  /** Its process may hold the key until then. */
  lockedUntil: number;
}

/** All that the rules of the money know of one account. */
export interface State {
  now: number;
  available: bigint;
  held: bigint;
  suspended: boolean;
  caps: { readonly daily: bigint | null; readonly monthly: bigint | null; readonly windows: number | null };
  /** By UTC day. */
  spent: Record<string, bigint>;
  windows: Record<string, number>;
  models: Model[];
  requests: Request[];
}

export const newState = (now: number): State => ({
  now,
  available: prices.newAccount,
  held: 0n,
  suspended: false,
  caps: { daily: null, monthly: null, windows: null },
  spent: {},
  windows: {},
  models: [],
  requests: [],
});

export const newModel = (): Model => ({
  status: 'none',
  collectUntil: null,
  paidThrough: null,
  expiresAt: null,
  unpaidSince: null,
  retryAt: null,
  fees: 0,
  months: 0,
  batches: 0,
  job: null,
});

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);

/** Whether the account can pay an amount at an instant: out of what is free, and within its caps with what is held. */
export function affords({ available, held, caps, spent }: State, amount: bigint, at: number): boolean {
  const today = dayOf(at);
  const inMonth = sum(
    Object.entries(spent).flatMap(([each, usd]) => (each.startsWith(today.slice(0, 7)) ? [usd] : [])),
  );
  const within = (cap: bigint | null, used: bigint): boolean => cap === null || used + held + amount <= cap;
  return available >= amount && within(caps.daily, spent[today] ?? 0n) && within(caps.monthly, inMonth);
}

/** Whether the day's cap leaves room for windows. */
export const hasRoom = ({ caps, windows }: State, count: number, at: number): boolean =>
  caps.windows === null || (windows[dayOf(at)] ?? 0) + count <= caps.windows;

export function note(state: State, amount: bigint, at: number): void {
  state.spent[dayOf(at)] = (state.spent[dayOf(at)] ?? 0n) + amount;
}

export function pay(state: State, amount: bigint, at: number): void {
  state.available -= amount;
  note(state, amount, at);
}

export function payWindows(state: State, count: number, at: number): void {
  pay(state, prices.window * BigInt(count), at);
  state.windows[dayOf(at)] = (state.windows[dayOf(at)] ?? 0) + count;
}

/** The job of a model that has not ended. */
export const runningJob = ({ job }: Model): Job | null => (job?.ended ? null : job);

/** A way in which an action may come out: what is told of it, and what holds then. */
export interface Branch {
  /** Null: anything may be told. */
  readonly came: readonly Came[] | null;
  readonly state: State;
}

export const copyOf = (state: State): State => structuredClone(state);
export const only = (state: State, ...came: Came[]): Branch[] => [{ came, state }];
