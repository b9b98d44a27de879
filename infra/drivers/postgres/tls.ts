import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type ConnectionOptions } from 'node:tls';
import { ConfigError } from '../config.ts';

type Mode = 'disable' | 'no-verify' | 'verify-ca' | 'verify-full';

/** Checks for each `sslmode` of a URL. `require` also checks the certificate and its name. */
const modes: Readonly<Record<string, Mode>> = {
  disable: 'disable',
  'no-verify': 'no-verify',
  require: 'verify-full',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
};

/** URL parameters with paths of PEM files, and the TLS options they set. */
const files = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;
type Pem = Partial<Record<(typeof files)[keyof typeof files], Buffer>>;

export interface DatabaseTls {
  /** The URL without its TLS parameters. */
  readonly url: string;
  /** TLS options of a new connection. Renewed files are read again, and ignored while they do not match. */
  readonly ssl: (() => ConnectionOptions | false) | null;
}

/**
 * TLS of connections to the database of `url`; `ssl` is null if the URL has no TLS parameters. Throws a ConfigError
 * that names every invalid parameter.
 */
export function databaseTls(url: string): DatabaseTls {
  const bare = new URL(url);
  const taken = new Map(
    ['sslmode', 'uselibpqcompat', ...Object.keys(files)].map((name) => [name, bare.searchParams.get(name)]),
  );
  if ([...taken.values()].every((value) => value === null)) return { url, ssl: null };
  for (const name of taken.keys()) bare.searchParams.delete(name);
  const named = Object.keys(files).filter((name) => taken.get(name)) as (keyof typeof files)[];
  const problems: string[] = [];
  // In the driver it would override all of these.
  if (bare.searchParams.has('ssl'))
    problems.push('DATABASE_URL: ssl has no place beside sslmode and certificates, which say it all: leave it out.');
  const asked = taken.get('sslmode') ?? 'verify-full';
  const mode = modes[asked];
  if (!mode) problems.push(`DATABASE_URL: sslmode is "${asked}"; it can be ${Object.keys(modes).join(', ')}.`);
  if (named.includes('sslcert') !== named.includes('sslkey'))
    problems.push('DATABASE_URL: sslcert and sslkey belong together: the certificate of this client and its key, PEM.');
  if (mode === 'verify-ca' && !named.includes('sslrootcert'))
    problems.push('DATABASE_URL: sslmode=verify-ca needs sslrootcert; with a public authority use verify-full.');
  const read = (): Pem => Object.fromEntries(named.map((name) => [files[name], pem(name, taken.get(name)!, problems)]));
  let kept = read();
  if (problems.length === 0) checkPair(kept, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  if (mode === 'disable') return { url: bare.href, ssl: () => false };
  const lax = taken.get('uselibpqcompat') === 'true' && asked === 'require';
  const checked = lax ? (kept.ca ? 'verify-ca' : 'no-verify') : mode!;
  return {
    url: bare.href,
    ssl() {
      kept = renewed(read) ?? kept;
      return {
        ...kept,
        rejectUnauthorized: checked !== 'no-verify',
        ...(checked === 'verify-ca' && { checkServerIdentity: () => undefined }),
      };
    },
  };
}

function pem(name: string, path: string, problems: string[]): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    problems.push(`DATABASE_URL: ${name} cannot be read: ${(error as Error).message}.`);
    return undefined;
  }
}

/** Throws if the files are not a certificate with its key. */
function use(kept: Pem): void {
  if (kept.ca) void new X509Certificate(kept.ca).fingerprint;
  createSecureContext(kept);
}

function checkPair(kept: Pem, problems: string[]): void {
  try {
    use(kept);
  } catch (error) {
    problems.push(
      `DATABASE_URL: sslrootcert, sslcert and sslkey are no certificates in PEM with the key of sslcert: ` +
        `${(error as Error).message}.`,
    );
  }
}

function renewed(read: () => Pem): Pem | null {
  try {
    const now = read();
    use(now);
    return Object.values(now).every((each) => each !== undefined) ? now : null;
  } catch {
    return null;
  }
}
