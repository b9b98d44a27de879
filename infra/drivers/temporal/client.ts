import { Client, Connection } from '@temporalio/client';

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** Connects on first use, so that a process starts and serves what needs no workflow while Temporal is away. */
export function createTemporalClient({ address, namespace }: { address: string; namespace: string }): TemporalClient {
  const connection = Connection.lazy({ address });
  return { connection, client: new Client({ connection, namespace }), close: () => connection.close() };
}
