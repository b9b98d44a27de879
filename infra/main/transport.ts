import { readFile } from 'node:fs/promises';
import { createSecureContext, type Server } from 'node:tls';
import type { Log } from '../observe/log.ts';
import { ConfigError, type Config } from '../drivers/config.ts';
import { isLoopback } from '../drivers/config-values.ts';
import { followFiles } from '../drivers/follow-files.ts';
import { measureCertificate } from './gauges.ts';

/** PEM of a certificate chain and of its private key. */
interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** How the API is reached. */
interface Transport {
  readonly tls: TlsFiles | null;
  /** Other machines can reach it, so plain HTTP is refused. */
  readonly requireHttps: boolean;
}

type Settings = Pick<Config, 'host' | 'tlsFiles' | 'trustedProxies'>;

/**
 * The TLS files of the API, or none if only this machine can reach it or a trusted proxy terminates HTTPS. Throws a
 * ConfigError if a key would cross the network unencrypted, or the files cannot be used.
 */
export async function readTransport({ host, tlsFiles, trustedProxies }: Settings): Promise<Transport> {
  if (!tlsFiles && !isLoopback(host) && trustedProxies.length === 0)
    throw new ConfigError([
      `HOST is ${host}, which others can reach, and keys must not cross a network in the clear. Set TLS_CERT_FILE and ` +
        `TLS_KEY_FILE; or set TRUSTED_PROXIES to the proxy that speaks HTTPS and sends X-Forwarded-Proto; or serve ` +
        `this machine only, with HOST=127.0.0.1.`,
    ]);
  return {
    tls: tlsFiles && (await readTls(tlsFiles)),
    requireHttps: !isLoopback(host) || trustedProxies.length > 0,
  };
}

async function readTls({ cert, key }: NonNullable<Settings['tlsFiles']>): Promise<TlsFiles> {
  const read = (name: string, path: string): Promise<Buffer> =>
    readFile(path).catch((cause: Error) => {
      throw new ConfigError([`${name} cannot be read: ${cause.message}.`], { cause });
    });
  const files = { cert: await read('TLS_CERT_FILE', cert), key: await read('TLS_KEY_FILE', key) };
  try {
    createSecureContext(files);
  } catch (cause) {
    const problem = `TLS_CERT_FILE (${cert}) and TLS_KEY_FILE (${key}) are no certificate chain with its key in PEM`;
    throw new ConfigError([`${problem}: ${(cause as Error).message}.`], { cause });
  }
  return files;
}

/**
 * Uses a renewed certificate for new connections within a minute of its files' change. A certificate and key that do
 * not match are logged and ignored. Ends with `signal`.
 */
export const followTlsFiles = (
  server: Pick<Server, 'setSecureContext'>,
  files: NonNullable<Settings['tlsFiles']>,
  { log, ...how }: { signal: AbortSignal; log: Log; everyMs?: number },
): void => {
  const renew = async (): Promise<void> => {
    const read = await readTls(files);
    server.setSecureContext(read);
    measureCertificate(read.cert);
  };
  followFiles([files.cert, files.key], renew, {
    ...how,
    onError: (error) => log.error('The certificate was not renewed.', { error }),
  });
};
