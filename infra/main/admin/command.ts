import type { ParseArgsOptionsConfig } from 'node:util';
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import type { ObjectStore } from '../../drivers/objects/object-store.ts';
import type { Options } from './options.ts';

export interface AdminContext {
  readonly pool: pg.Pool;
  /** The object store, for commands that look into it. */
  objects(): Promise<ObjectStore>;
  /** Temporal, for commands about its workers. */
  temporal(): Promise<Client>;
  /**
   * Puts new secrets before the former ones where the service makes its own; the object store with all of them. Throws
   * where processes run that would not know them.
   */
  renewSecrets(): Promise<{ readonly made: boolean; readonly objects: ObjectStore }>;
  /** What was piped to the command, without its last line break; null: nothing was. */
  standardInput(): Promise<string | null>;
  /** By the database's clock. */
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
