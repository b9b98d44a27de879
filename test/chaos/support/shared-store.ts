import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { warnMissing } from '../../support/fetched-tool.ts';
import { startS3Server } from '../../support/s3-server.ts';

/** The object store that all processes share. */
export interface SharedStore {
  readonly url: string;
  /** What a process needs in its environment to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends its server in the middle of whatever it does, and starts it again; null: no server outlives that. */
  readonly kill: (() => Promise<void>) | null;
  stop(): Promise<void>;
}

const awayMs = 2_000;

/** An S3 server; where none can be had, a folder, said loudly. */
export async function startSharedStore(folder: string): Promise<SharedStore> {
  const server = await startS3Server();
  if ('missing' in server) {
    warnMissing('An S3 server for the fleet of processes', server.missing);
    const url = pathToFileURL(join(folder, 'objects')).href;
    return { url, env: {}, kill: null, stop: async () => undefined };
  }
  const { url, env, durable } = server;
  return {
    url,
    env,
    kill: durable
      ? async () => {
          await server.kill();
          await sleep(awayMs);
          await server.restart();
        }
      : null,
    stop: () => server.stop(),
  };
}

/** Sets variables of this process, for what reads them; returns what puts them back. */
export function withEnvironment(env: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
