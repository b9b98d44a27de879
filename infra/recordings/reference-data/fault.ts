import { FileFault, type FileFaultName } from '../../downloads/fault.ts';

/**
 * What can keep reference recordings away, and what a preparation says of it: `failed` ends by itself or by other
 * files, `required` waits for an operator; `retryable` says whether the same attempt may succeed later.
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

/** Faults that every file of the same source would meet. */
const ofTheSource: ReadonlySet<FileFaultName> = new Set(['no_route', 'refused', 'cannot_write']);

/** Why reference recordings cannot be had; the message names the file or the source, and the fault with its numbers. */
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
  /** Whether no other file of the source can be had either. */
  get stopsAll(): boolean {
    return ofTheSource.has(this.fault);
  }
}

/** A fault of a file, told as one of reference recordings; what else was thrown stays as it is. */
export const asReferenceFault = (error: unknown): unknown =>
  error instanceof FileFault ? new ReferenceFault(error.fault, error.message, { cause: error.cause }) : error;
