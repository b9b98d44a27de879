import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { ConfigError } from '../config.ts';
import { isUnreachable, sqlState } from './errors.ts';

/** Errors that waiting does not resolve, by SQLSTATE, with the remedy. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'put the right user and password into DATABASE_URL',
  '28000': 'see that this user, address and encryption are allowed in pg_hba.conf (sslmode, sslcert, sslkey)',
  '3D000': 'create it, or name another one in DATABASE_URL',
  '42501': 'grant the user of DATABASE_URL what it lacks',
};
const certificateFault = /^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|ERR_TLS|ERR_SSL|ERR_OSSL)/;
const pauses = { first: 250, most: 5_000 };

/** A connection error as a ConfigError with its remedy, if trying again does not help; else null. */
export function permanentFault(error: unknown, url: string): ConfigError | null {
  const { message, code } = error as Error & { code?: unknown };
  const remedy = refusals[sqlState(error) ?? ''] ?? otherRemedy(message, code);
  const at = new URL(url);
  return remedy === null
    ? null
    : new ConfigError([`Postgres at ${at.host}${at.pathname} refuses the service: ${message}: ${remedy}.`], {
        cause: error,
      });
}

function otherRemedy(message: string, code: unknown): string | null {
  if (/unsupported startup parameter/.test(message))
    return 'a pooler stands before it: set DATABASE_POOLER=transaction (a session pooler must pass on options)';
  if (/does not support SSL/.test(message)) return 'turn TLS on there, or set sslmode=disable in DATABASE_URL';
  return typeof code === 'string' && certificateFault.test(code)
    ? 'put the authority that signed its certificate into sslrootcert of DATABASE_URL, and use a name it is for'
    : null;
}

/**
 * Tries until Postgres answers and accepts writes; reports each reason for waiting once. Throws a ConfigError if
 * waiting does not help.
 */
export async function waitForDatabase(
  config: ClientConfig,
  url: string,
  report: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  let said = '';
  for (let pause = pauses.first; ; pause = Math.min(2 * pause, pauses.most)) {
    const reason = await look(config, url);
    if (reason === null) {
      if (said !== '') report('Postgres is there.');
      return;
    }
    if (reason !== said) report(`Waiting for Postgres at ${new URL(url).host}: ${reason}`);
    said = reason;
    await sleep(pause, undefined, { signal });
  }
}

/** Why the service cannot use the database yet; null: it can. */
async function look(config: ClientConfig, url: string): Promise<string | null> {
  const client = new Client({ ...config, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ refused: boolean }>(
      `SELECT current_setting('transaction_read_only')::bool AS refused`,
    );
    return rows[0]!.refused ? 'it takes no writes yet.' : null;
  } catch (error) {
    const fault = permanentFault(error, url);
    if (fault) throw fault;
    if (!isUnreachable(error)) throw error;
    return `${(error as Error).message || (error as NodeJS.ErrnoException).code}.`;
  } finally {
    await client.end().catch(() => undefined);
  }
}
