/** Fields of API responses that the demo prints; the API reference describes all fields. */
export interface Model {
  readonly id: string;
  readonly status: string;
  readonly training_report?: Report;
}

export interface Predictions {
  readonly data: readonly {
    readonly index: number;
    readonly label: string;
    readonly probabilities: Readonly<Record<string, number>>;
  }[];
}

export interface Usage {
  readonly month?: {
    readonly usd: string;
    readonly task_model_create_usd: string;
    readonly task_model_hosting_usd: string;
    readonly windows: number;
  };
}

/** Progress of one candidate method in `details.progress` of a running create. */
export interface CandidateState {
  readonly method: string;
  readonly title: string;
  readonly status: 'running' | 'scored' | 'failed' | 'dropped';
  readonly balanced_accuracy: number | null;
}

export interface MethodRow {
  readonly id: string;
  readonly title: string;
  readonly status: 'scored' | 'failed' | 'dropped' | 'skipped';
  readonly balanced_accuracy?: number;
  readonly interval_95?: readonly [number, number] | null;
  readonly seconds?: number;
  readonly reason?: string | null;
}

/** The fields of a training report that the demo prints. */
export interface Report {
  readonly balanced_accuracy: number;
  readonly chance: number;
  readonly interval_95?: readonly [number, number] | null;
  readonly corrected?: {
    readonly balanced_accuracy: number;
    readonly interval_95?: readonly [number, number] | null;
  } | null;
  readonly p_value?: number | null;
  readonly method?: string;
  readonly method_title?: string;
  readonly choice?: string;
  readonly validation?: { readonly description?: string };
  readonly confusion_matrix?: { readonly labels: readonly string[]; readonly counts: readonly (readonly number[])[] };
  readonly methods?: readonly MethodRow[];
  readonly warnings?: readonly string[];
}
