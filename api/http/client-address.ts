import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Removes port, brackets and zone. An IPv4 address mapped into IPv6 becomes IPv4. Null if it is not an address. */
function readAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const bare = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null;
}

/**
 * The caller's address from Fastify's `trustProxy`: the peer's address, or the rightmost entry of X-Forwarded-For that
 * is not a trusted proxy. If that entry is not an address, the result is the proxy that forwarded it.
 */
export function clientAddress({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  for (const text of ips.toReversed()) {
    const address = readAddress(text ?? '');
    if (address !== null) return address;
  }
  return '0.0.0.0';
}
