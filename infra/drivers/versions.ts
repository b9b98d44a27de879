import { ConfigError } from './config.ts';

/** Oldest versions that the service works with; `docs/deploy.md` states them. */
export const oldest = { postgres: 16, pgbouncer: [1, 18], temporal: [1, 29] } as const;

/** Throws a ConfigError for a Postgres server that is too old. `number`: its `server_version_num`, 160004 for 16.4. */
export function requirePostgres(number: number, at: string): void {
  if (number >= oldest.postgres * 10_000) return;
  const version = `${Math.floor(number / 10_000)}.${number % 10_000}`;
  throw new ConfigError([
    `Postgres at ${at} is version ${version}; the service needs ${oldest.postgres} or newer. Upgrade the server, or name a ` +
      'newer one in DATABASE_URL.',
  ]);
}

/** The first two numbers of a version in a text; null: it has none, so that nothing can be checked. */
function versionIn(text: string): readonly [number, number] | null {
  const match = /(\d{1,4})\.(\d{1,4})/.exec(text);
  return match && [Number(match[1]), Number(match[2])];
}

const requireAtLeast = (
  name: string,
  text: string,
  [major, minor]: readonly [number, number],
  remedy: string,
): void => {
  const found = versionIn(text);
  if (!found || found[0] > major || (found[0] === major && found[1] >= minor)) return;
  throw new ConfigError([`${name} is version ${text.trim()}; the service needs ${major}.${minor} or newer. ${remedy}`]);
};

/** `text`: the answer of its console to SHOW VERSION. */
export const requirePgBouncer = (text: string, at: string): void =>
  requireAtLeast(`PgBouncer at ${at}`, text.replace(/^\D*/, ''), oldest.pgbouncer, 'Upgrade it.');

/** `text`: `serverVersion` of its system information. */
export const requireTemporal = (text: string, at: string): void =>
  requireAtLeast(
    `The Temporal server at ${at}`,
    text,
    oldest.temporal,
    'Upgrade it, or name a newer one in TEMPORAL_ADDRESS.',
  );
