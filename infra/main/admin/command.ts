import type { ParseArgsOptionsConfig } from 'node:util';
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import type { ObjectStore } from '../../drivers/objects/object-store.ts';
import type { Options } from './options.ts';

export interface AdminContext {
  readonly pool: pg.Pool;
  /** The object store, for commands that read it. */
  objects(): Promise<ObjectStore>;
  /** Temporal, for commands about its workers. */
  temporal(): Promise<Client>;
  /**
   * Adds new secrets before the former ones if the service generates its own; returns the object store with all keys.
   * Throws if processes run that would not know the new ones.
   */
  renewSecrets(): Promise<{ readonly made: boolean; readonly objects: ObjectStore }>;
  /** Standard input of the command, without its last line break; null: none. */
  standardInput(): Promise<string | null>;
  /** Current time of the database's clock. */
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
