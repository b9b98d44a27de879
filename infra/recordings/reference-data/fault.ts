import { FileFault, type FileFaultName } from '../../downloads/fault.ts';

/**
 * Reasons why reference recordings are missing, with the resulting state of the preparation. `failed`: it is tried
 * again by itself or with other files. `required`: it waits for an operator. `retryable`: the same attempt may succeed
 * later.
 */
const faults = {
  no_route: { status: 'required', retryable: false },
  refused: { status: 'required', retryable: false },
  nothing_there: { status: 'required', retryable: false },
  cannot_write: { status: 'required', retryable: false },
  interrupted: { status: 'failed', retryable: true },
  not_the_published_file: { status: 'failed', retryable: false },
  unreadable: { status: 'failed', retryable: false },
} as const satisfies Record<FileFaultName, { status: 'failed' | 'required'; retryable: boolean }>;

/** Faults that affect every file of the source. */
const ofTheSource: ReadonlySet<FileFaultName> = new Set(['no_route', 'refused', 'cannot_write']);

/**
 * Reference recordings that cannot be obtained. The message names the file or the source, and the problem with its
 * numbers.
 */
export class ReferenceFault extends Error {
  readonly fault: FileFaultName;
  readonly status: 'failed' | 'required';
  readonly retryable: boolean;
  constructor(fault: FileFaultName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReferenceFault';
    this.fault = fault;
    ({ status: this.status, retryable: this.retryable } = faults[fault]);
  }
  /** Whether the fault affects every file of the source. */
  get stopsAll(): boolean {
    return ofTheSource.has(this.fault);
  }
}

/** Converts a FileFault to a ReferenceFault; returns other errors unchanged. */
export const asReferenceFault = (error: unknown): unknown =>
  error instanceof FileFault ? new ReferenceFault(error.fault, error.message, { cause: error.cause }) : error;
