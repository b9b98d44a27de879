export interface LedgerProblem {
  /** The broken invariant, in words. */
  readonly invariant: string;
  /** Table and key of the row. */
  readonly row: string;
  readonly problem: string;
}
