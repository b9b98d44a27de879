/** A fault of a process during an action: at its n-th statement, before or after Postgres executes it. */
export interface Fault {
  readonly statement: number;
  /** `death`: the process does nothing any more. `loss`: it loses that connection and goes on. */
  readonly kind: 'death' | 'loss';
  readonly when: 'before' | 'after';
}

/** A caller's request, with or without an Idempotency-Key. */
export type Asked = { readonly keyed: boolean; readonly fault: Fault | null } & (
  | { readonly do: 'create'; readonly days: number | null }
  | { readonly do: 'defer'; readonly days: number | null; readonly windows: number }
  | { readonly do: 'batch'; readonly model: number; readonly windows: number }
  | { readonly do: 'fit'; readonly model: number }
  | { readonly do: 'predict'; readonly model: number; readonly windows: number }
);

/**
 * One action of callers, workers, the operator or time. Models and requests are numbered from 0 in order of creation.
 */
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

/** Outcome of a fit: a model, a failure of the data, or a failure of the service. */
export type How = 'fits' | 'fails' | 'faults';

/** Result of an action: an HTTP status, a job that runs on, or an end that no caller receives. */
export type Came = number | 'running' | 'nothing' | 'done' | 'refused';

export interface Outcome {
  readonly came: Came;
  /** True if the fault occurred. */
  readonly hit: boolean;
}
