/** What can be wrong with a recording, in one word for tables and tests. */
export type RecordingFaultName =
  | 'not_a_recording'
  | 'damaged_header'
  | 'cut_short'
  | 'no_data'
  | 'discontinuous'
  | 'too_many_annotations';

/** A file that cannot be read; the message says what is wrong with it, with the numbers, but not which file it is. */
export class RecordingFault extends Error {
  readonly fault: RecordingFaultName;
  constructor(fault: RecordingFaultName, message: string) {
    super(message);
    this.name = 'RecordingFault';
    this.fault = fault;
  }
}
