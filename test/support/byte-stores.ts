import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ByteStore } from '../../infra/drivers/objects/bytes.ts';
import { createFileStore } from '../../infra/drivers/objects/file-store.ts';
import { createS3Store, type S3Options } from '../../infra/drivers/objects/s3-store.ts';
import { parseS3Url } from '../../infra/drivers/objects/s3-url.ts';
import { warnMissing } from './fetched-tool.ts';
import { startS3Server } from './s3-server.ts';

/** Sets environment variables of this process; `restore` brings back the former values. */
export function setEnvironment(values: Readonly<Record<string, string>>): { restore(): void } {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  return {
    restore() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}

/** A place for stores of one driver; `open` begins with an empty one. */
export interface StorePlace {
  open(options?: S3Options): ByteStore;
  close(): Promise<void>;
}

let opened = 0;

/** Stores on which the contract of ByteStore is tested. Each is null, with a warning, if it is not available. */
export const storePlaces: Readonly<Record<'a folder' | 'S3', () => Promise<StorePlace | null>>> = {
  async 'a folder'() {
    const folder = await mkdtemp(join(tmpdir(), 'bytes-'));
    return {
      open: () => createFileStore(join(folder, String(opened++))),
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
  async S3() {
    const server = await startS3Server();
    if ('missing' in server) {
      warnMissing('an S3 server', server.missing);
      return null;
    }
    const environment = setEnvironment(server.env);
    const at = parseS3Url(server.url);
    return {
      open: (options) => createS3Store({ ...at, prefix: `${at.prefix}${opened++}/` }, options),
      async close() {
        environment.restore();
        await server.stop();
      },
    };
  },
};
