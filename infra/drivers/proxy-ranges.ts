import ipaddr from 'ipaddr.js';

/** Ranges that have a name: loopback, link-local and private addresses. */
const named: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

const example = 'give the addresses of your proxies, for example 10.0.0.0/8, fd00::/8 or loopback';

/**
 * Why an entry of `TRUSTED_PROXIES` cannot be used, to be read after the name of the variable; null for an address, a
 * range of addresses with 1 bit or more, or a named range. A range of all addresses would let every caller name its own.
 */
export function proxyFault(entry: string): string | null {
  if (named.has(entry) || ipaddr.isValid(entry)) return null;
  if (!ipaddr.isValidCIDR(entry)) return `holds "${entry}", which is no address and no range of addresses: ${example}.`;
  const [, bits] = ipaddr.parseCIDR(entry);
  return bits === 0 ? `holds ${entry}, so every caller could claim any address: ${example}.` : null;
}
