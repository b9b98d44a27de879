import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Config } from './config.ts';

/** What the processes of one service share and no one else may read. */
export interface Secrets {
  /** 32 bytes: AES-256-GCM key of the object store. */
  readonly dataEncryptionKey: Uint8Array;
  readonly sessionSecret: string;
}

/**
 * The secrets of the service. With the embedded database they are made once under `DATA_DIR/secrets` (files of mode
 * 600); with `DATABASE_URL` they must be set, since several machines have to agree on them.
 */
export async function loadSecrets(config: Config): Promise<Secrets> {
  const { dataEncryptionKey, sessionSecret } = config;
  if (config.databaseUrl !== null) {
    const missing = Object.entries({ DATA_ENCRYPTION_KEY: dataEncryptionKey, SESSION_SECRET: sessionSecret })
      .filter(([, value]) => value === null)
      .map(
        ([name]) =>
          `${name} must be set when DATABASE_URL is set: every process of the service needs the same one (make ` +
          `one with: openssl rand -base64 32).`,
      );
    if (missing.length) throw new ConfigError(missing);
  }
  const folder = join(config.dataDir, 'secrets');
  return {
    dataEncryptionKey:
      dataEncryptionKey ?? new Uint8Array(Buffer.from(await kept(folder, 'data-encryption-key'), 'base64')),
    sessionSecret: sessionSecret ?? (await kept(folder, 'session-secret')),
  };
}

async function kept(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, randomBytes(32).toString('base64'), { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readFile(path, 'utf8')).trim();
}
