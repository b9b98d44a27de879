import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Config } from './config.ts';

/** Secrets shared by the processes of one service. */
export interface Secrets {
  /**
   * Keys of 32 bytes, the newest first. The newest encrypts objects and Temporal's payloads; the others only decrypt.
   */
  readonly dataEncryptionKeys: readonly Uint8Array[];
  readonly sessionSecret: string;
}

/**
 * Loads the secrets of the service. With the embedded database they are generated once under `DATA_DIR/secrets` (files
 * of mode 600). With `DATABASE_URL` they must be set, because several machines must have the same ones.
 */
export async function loadSecrets(config: Config): Promise<Secrets> {
  const { dataEncryptionKeys, sessionSecret } = config;
  if (config.databaseUrl !== null) {
    const missing = Object.entries({ DATA_ENCRYPTION_KEY: dataEncryptionKeys, SESSION_SECRET: sessionSecret })
      .filter(([, value]) => value === null)
      .map(
        ([name]) =>
          `${name} must be set when DATABASE_URL is set: every process of the service needs the same one (make ` +
          `one with: openssl rand -base64 32).`,
      );
    if (missing.length) throw new ConfigError(missing);
  }
  const folder = folderOf(config);
  return {
    dataEncryptionKeys: dataEncryptionKeys ?? readKeys(await kept(folder, keysFile)).map(({ key }) => key),
    sessionSecret: sessionSecret ?? (await kept(folder, sessionFile)),
  };
}

/**
 * Former keys are kept this long: a workflow may run for a hosting month, and its history is kept for some time after
 * it.
 */
const keptDays = 90;

/**
 * Adds new secrets before those under `DATA_DIR/secrets`. No process may run on that folder, because it would not know
 * them. Former keys stay for 90 days after their replacement. Secrets set in the environment stay: the operator adds a
 * new key before the old one in DATA_ENCRYPTION_KEY. Returns whether new keys were made.
 */
export async function renewSecrets(config: Config, at: Date): Promise<{ made: boolean }> {
  await loadSecrets(config);
  if (config.dataEncryptionKeys !== null) return { made: false };
  const folder = folderOf(config);
  const before = readKeys(await kept(folder, keysFile));
  const oldest = at.getTime() - keptDays * 86_400_000;
  const lines = before
    .map(({ key, replaced }) => ({ key, replaced: replaced ?? at }))
    .filter(({ replaced }) => replaced.getTime() > oldest)
    .map(({ key, replaced }) => `${Buffer.from(key).toString('base64')} ${replaced.toISOString()}`);
  await replace(join(folder, keysFile), [newSecret(), ...lines].join('\n'));
  if (config.sessionSecret === null) await replace(join(folder, sessionFile), newSecret());
  return { made: true };
}

const keysFile = 'data-encryption-key';
const sessionFile = 'session-secret';
const folderOf = ({ dataDir }: Config): string => join(dataDir, 'secrets');
const newSecret = (): string => randomBytes(32).toString('base64');

/** One key per line, the newest first; each former key with the time of its replacement. */
const readKeys = (text: string): { key: Uint8Array; replaced: Date | null }[] =>
  text.split('\n').map((line) => {
    const [key, replaced] = line.split(' ');
    return { key: new Uint8Array(Buffer.from(key, 'base64')), replaced: replaced ? new Date(replaced) : null };
  });

async function draftOf(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  return draft;
}

const replace = async (path: string, text: string): Promise<void> => rename(await draftOf(path, text), path);

async function kept(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = await draftOf(path, newSecret());
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readFile(path, 'utf8')).trim();
}
