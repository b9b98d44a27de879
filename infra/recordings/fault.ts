/** Kinds of faults of a recording, as one word for tables and tests. */
export type RecordingFaultName =
  | 'not_a_recording'
  | 'not_readable'
  | 'damaged_header'
  | 'cut_short'
  | 'no_data'
  | 'no_rate'
  | 'discontinuous'
  | 'too_many_annotations'
  | 'missing_file';

/** A file that cannot be read. The message names the problem with its numbers, but not the file. */
export class RecordingFault extends Error {
  readonly fault: RecordingFaultName;
  constructor(fault: RecordingFaultName, message: string) {
    super(message);
    this.name = 'RecordingFault';
    this.fault = fault;
  }
}

/** The kind of fault behind an error, or null. */
export function faultOf(error: unknown): RecordingFaultName | null {
  if (error instanceof RecordingFault) return error.fault;
  return error instanceof Error && error.cause !== undefined ? faultOf(error.cause) : null;
}
