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

/** A fit with reserved credit. */
export interface Job {
  /** When the credit was reserved (Unix milliseconds, like all instants here). */
  readonly reservedAt: number;
  /** The process of its request lives and waits for its answer. */
  awaited: boolean;
  /** True if its caller is still connected. */
  connected: boolean;
  /** When it must end without a charge, because no caller waits for it and it has no key; null: never. */
  orphanedAt: number | null;
  /** The request that began it. */
  readonly request: number;
  fate: { readonly how: How; readonly at: number } | null;
  /** True if its end is committed but its workflow does not know it yet. */
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

/** A request, and the state of its Idempotency-Key. */
export interface Request {
  readonly action: Asked;
  readonly model: number;
  /** True if its model did not exist when it was first sent; it keeps that unknown id. */
  readonly astray: boolean;
  /** The answer that is kept under its key. */
  answer: number | null;
  since: number;
  /** Its process may lock the key until then. */
  lockedUntil: number;
}

/** State of one account in the model. */
export interface State {
  now: number;
  available: bigint;
  reserved: bigint;
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
  reserved: 0n,
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

/**
 * True if the account can pay an amount at an instant: from its free credit, and within its caps including the reserved
 * credit.
 */
export function affords({ available, reserved, caps, spent }: State, amount: bigint, at: number): boolean {
  const today = dayOf(at);
  const inMonth = sum(
    Object.entries(spent).flatMap(([each, usd]) => (each.startsWith(today.slice(0, 7)) ? [usd] : [])),
  );
  const within = (cap: bigint | null, used: bigint): boolean => cap === null || used + reserved + amount <= cap;
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

/** A possible outcome of an action: its result and the state after it. */
export interface Branch {
  /** Possible results; null: any. */
  readonly came: readonly Came[] | null;
  readonly state: State;
}

export const copyOf = (state: State): State => structuredClone(state);
export const only = (state: State, ...came: Came[]): Branch[] => [{ came, state }];
