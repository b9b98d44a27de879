export interface LedgerProblem {
  /** The invariant that fails, in words. */
  readonly invariant: string;
  /** Where: table and key of the row. */
  readonly row: string;
  readonly problem: string;
}
