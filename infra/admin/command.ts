import type { ParseArgsOptionsConfig } from 'node:util';
import type pg from 'pg';
import type { Options } from './read.ts';

export interface AdminContext {
  readonly pool: pg.Pool;
  readonly at: Date;
}

export interface Command {
  /** The options, as shown to the operator. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** Returns the JSON object to print. `failed` makes the command exit with 1 after printing it. */
  run(
    context: AdminContext,
    options: Options,
  ): Promise<Readonly<Record<string, unknown>> & { readonly failed?: readonly string[] }>;
}
