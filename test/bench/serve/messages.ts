/** What one cell of the bench asks of the process that makes the load. */
export type Job =
  | {
      readonly kind: 'http';
      readonly port: number;
      /** Connections take these in turns. */
      readonly requests: readonly HttpRequest[];
      readonly connections: number;
      readonly milliseconds: number;
    }
  | {
      /** pgbench's simple update, prepared: UPDATE, SELECT and INSERT in a transaction. */
      readonly kind: 'postgres';
      readonly url: string;
      readonly rows: number;
      readonly connections: number;
      readonly milliseconds: number;
    };

export interface HttpRequest {
  /** Request line and headers, with the empty line that ends them. */
  readonly head: string;
  readonly body: Uint8Array;
}

export interface Done {
  /** Milliseconds of each request, in the order that they ended. */
  readonly times: Float64Array;
  readonly seconds: number;
  /** Processor time of the load itself, in milliseconds. */
  readonly clientMs: number;
  /** Answers that were no success: how many, and the first of them. */
  readonly failures: number;
  readonly failure: string;
}
