import ipaddr from 'ipaddr.js';
import { catalogue } from '../../ml/encoders/catalogue/index.ts';

/** An invalid value. The message continues a sentence that begins with the name of the variable. */
export class Refusal extends Error {}

/** Reads one variable; converts a Refusal to a problem in the list. */
export type Read = <T>(name: string, fallback: T, parse: (text: string) => T) => T;

/**
 * TLS and identity for connections to Temporal: paths of PEM files. null: public authorities, no certificate, no key.
 */
export interface TemporalSecurity {
  readonly tls: boolean;
  readonly files: { readonly ca: string | null; readonly cert: string | null; readonly key: string | null };
  /** Expected name in the server's certificate, if it differs from the host of the address. */
  readonly serverName: string | null;
  readonly apiKey: string | null;
}

/** Setting a file, a name or a key turns TLS on, unless TEMPORAL_TLS says otherwise. */
export function securityOf(read: Read, path: (text: string) => string): TemporalSecurity {
  const file = (name: string): string | null => read<string | null>(name, null, path);
  const files = {
    ca: file('TEMPORAL_TLS_CA_FILE'),
    cert: file('TEMPORAL_TLS_CERT_FILE'),
    key: file('TEMPORAL_TLS_KEY_FILE'),
  };
  const serverName = read<string | null>('TEMPORAL_TLS_SERVER_NAME', null, (value) => value);
  const apiKey = read<string | null>('TEMPORAL_API_KEY', null, visible);
  const implied = [...Object.values(files), serverName, apiKey].some((each) => each !== null);
  const tls = read<'on' | 'off' | null>('TEMPORAL_TLS', null, oneOf<'on' | 'off'>(['on', 'off']));
  return { tls: tls === null ? implied : tls === 'on', files, serverName, apiKey };
}

/** Whether traffic to `host:port` stays on this machine. */
export function staysHere(address: string): boolean {
  return isLoopback(address.replace(/:\d+$/, '').replace(/^\[(.+)\]$/, '$1'));
}

/** Whether only this machine can connect to a listener on that host. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

export function wholeUpTo(most: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number > most)
      throw new Refusal(`must be a whole number from 0 to ${most}, not "${value}".`);
    return number;
  };
}

export function oneOf<T extends string>(words: readonly T[]) {
  return (value: string): T => {
    const word = words.find((each) => each === value.toLowerCase());
    if (word === undefined) throw new Refusal(`must be ${words.join(' or ')}, not "${value}".`);
    return word;
  };
}

export function visible(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new Refusal('must be visible characters without spaces.');
  return value;
}

export function buildId(value: string): string {
  if (!/^[\w.-]{1,60}$/.test(value))
    throw new Refusal(`must be 1 to 60 letters, digits, dots, hyphens or underscores, not "${value}".`);
  return value;
}

export function hostAndPort(value: string): string {
  const port = /^(?:\[[0-9a-f:]+\]|[^\s:/]+):(\d{1,5})$/i.exec(value)?.[1];
  if (!port || Number(port) < 1 || Number(port) > 65_535)
    throw new Refusal(`must be host:port such as 127.0.0.1:7233, not "${value}".`);
  return value;
}

const listed = (value: string): string[] => value.split(/[\s,]+/).filter(Boolean);

/** Host names as in a Host header, without ports. */
export function hostNames(value: string): string[] {
  const names = listed(value).map((name) => name.toLowerCase());
  const fault = names.find((name) => !/^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(name));
  if (fault) throw new Refusal(`holds "${fault}": give names of hosts without ports, for example api-1,api-2.`);
  return names;
}

/** Origins of pages: scheme, host and port, and no path. */
export function origins(value: string): string[] {
  return listed(value).map((each) => {
    const url = URL.parse(each);
    if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
      throw new Refusal(`holds "${each}": give origins without a path, for example https://temporal.example.org.`);
    return url.origin;
  });
}

export const keys32 = (value: string): Uint8Array[] => listed(value).map(key32);

function key32(value: string): Uint8Array {
  const bytes = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64');
  if (bytes.length !== 32) {
    throw new Refusal(
      `must be 32 bytes as base64 or as 64 hexadecimal digits (make one with: openssl rand -base64 32); it holds ${bytes.length} bytes.`,
    );
  }
  return new Uint8Array(bytes);
}

export function longSecret(value: string): string {
  if (value.length < 32)
    throw new Refusal(
      `must have at least 32 characters (make one with: openssl rand -base64 32); it has ${value.length}.`,
    );
  return value;
}

/** Ids of catalogued models, separated by commas or spaces; `none`: no model. */
export function modelIds(value: string): readonly string[] {
  const ids = value.split(/[\s,]+/).filter(Boolean);
  if (ids.length === 1 && ids[0].toLowerCase() === 'none') return [];
  const permitted = catalogue.filter(({ licence }) => licence.hostedUse).map(({ id }) => id);
  const there = `there are ${permitted.join(', ')}, or none`;
  for (const id of ids) {
    const model = catalogue.find((each) => each.id === id);
    if (!model) throw new Refusal(`names "${id}", which is no model that may be used; ${there}.`);
    if (!model.licence.hostedUse)
      throw new Refusal(`names ${id}, whose licence forbids it: ${model.licence.why}; ${there}.`);
  }
  return [...new Set(ids)];
}

/** Named ranges: loopback, link-local and private addresses. */
const named: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

const example = 'give the addresses of your proxies, for example 10.0.0.0/8, fd00::/8 or loopback';

/**
 * Why an entry of `TRUSTED_PROXIES` is invalid, to be read after the name of the variable; null: it is an address, a
 * range of addresses with at least 1 bit, or a named range. A range of all addresses is invalid: every caller could
 * then choose its own address.
 */
export function proxyFault(entry: string): string | null {
  if (named.has(entry) || ipaddr.isValid(entry)) return null;
  if (!ipaddr.isValidCIDR(entry)) return `holds "${entry}", which is no address and no range of addresses: ${example}.`;
  const [, bits] = ipaddr.parseCIDR(entry);
  return bits === 0 ? `holds ${entry}, so every caller could claim any address: ${example}.` : null;
}
