import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { ConnectionOptions } from '@temporalio/client';
import { ConfigError } from '../config.ts';
import type { TemporalSecurity } from '../config-values.ts';

/** Options of a connection to Temporal. */
type Secured = Pick<ConnectionOptions, 'tls'> & { readonly apiKey?: string };

const variables = { ca: 'TEMPORAL_TLS_CA_FILE', cert: 'TEMPORAL_TLS_CERT_FILE', key: 'TEMPORAL_TLS_KEY_FILE' } as const;

/** Files that are watched; a change renews the connection. */
export const securityFiles = ({ tls, files }: TemporalSecurity): string[] =>
  tls ? Object.values(files).filter((path) => path !== null) : [];

/** Options of a new connection with the current files. Throws a ConfigError that names every unusable file. */
export function readSecurity({ tls, files, serverName, apiKey }: TemporalSecurity): Secured {
  const identity = apiKey === null ? {} : { apiKey };
  if (!tls) return { tls: false, ...identity };
  const problems: string[] = [];
  const read = (name: keyof typeof variables): Buffer | undefined => {
    const path = files[name];
    try {
      return path === null ? undefined : readFileSync(path);
    } catch (error) {
      problems.push(`${variables[name]} cannot be read: ${(error as Error).message}.`);
      return undefined;
    }
  };
  const [ca, cert, key] = [read('ca'), read('cert'), read('key')];
  const check = (words: string, use: () => unknown): void => {
    try {
      use();
    } catch (error) {
      problems.push(`${words}: ${(error as Error).message}.`);
    }
  };
  if (ca) check(`${variables.ca} (${files.ca}) holds no certificates in PEM`, () => new X509Certificate(ca));
  if (cert && key)
    check(
      `${variables.cert} (${files.cert}) and ${variables.key} (${files.key}) are no certificate with its key in PEM`,
      () => createSecureContext({ cert, key }),
    );
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    tls: {
      ...(ca && { serverRootCACertificate: ca }),
      ...(cert && key && { clientCertPair: { crt: cert, key } }),
      ...(serverName !== null && { serverNameOverride: serverName }),
    },
    ...identity,
  };
}
