/** How a process is hit while it works on an action: at its n-th statement, before or after Postgres carries it out. */
export interface Fault {
  readonly statement: number;
  /** `death`: the process does nothing any more. `loss`: it loses that connection and goes on. */
  readonly kind: 'death' | 'loss';
  readonly when: 'before' | 'after';
}

/** What a caller asks for, with an Idempotency-Key or without one. */
export type Asked = { readonly keyed: boolean; readonly fault: Fault | null } & (
  | { readonly do: 'create'; readonly days: number | null }
  | { readonly do: 'defer'; readonly days: number | null; readonly windows: number }
  | { readonly do: 'batch'; readonly model: number; readonly windows: number }
  | { readonly do: 'fit'; readonly model: number }
  | { readonly do: 'predict'; readonly model: number; readonly windows: number }
);

/** One thing that callers, workers, the operator or time do. Models and requests are counted from 0, as they came. */
export type Action =
  | Asked
  | { readonly do: 'again'; readonly request: number }
  | { readonly do: 'delete'; readonly model: number; readonly fault: Fault | null }
  | { readonly do: 'expire'; readonly model: number; readonly days: number | null; readonly fault: Fault | null }
  | { readonly do: 'leave' | 'die'; readonly model: number }
  | { readonly do: 'work'; readonly model: number; readonly how: How; readonly fault: Fault | null }
  | { readonly do: 'settle'; readonly model: number; readonly fault: Fault | null }
  | { readonly do: 'sweep'; readonly fault: Fault | null }
  | { readonly do: 'credit'; readonly usd: number }
  | {
      readonly do: 'caps';
      readonly daily: number | null;
      readonly monthly: number | null;
      readonly windows: number | null;
    }
  | { readonly do: 'suspend' | 'resume' }
  | { readonly do: 'wait'; readonly hours: number };

/** How a fit ends by itself: with a model, for a reason of the data, or for one of the service. */
export type How = 'fits' | 'fails' | 'faults';

/** What an action came to: an HTTP status, a job that runs on, or an end that no caller is told of. */
export type Came = number | 'running' | 'nothing' | 'done' | 'refused';

export interface Outcome {
  readonly came: Came;
  /** The fault was met. */
  readonly hit: boolean;
}
