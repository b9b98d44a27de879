import { isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Without port, brackets, zone; an IPv4 address mapped into IPv6 as IPv4. Null when it is no address. */
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
 * The caller's address: what Fastify's `trustProxy` finds, the peer's own or the rightmost entry of X-Forwarded-For
 * that no trusted proxy stands for. Where a stranger wrote something there that is no address, it is the address of
 * the proxy that passed it on.
 */
export function clientAddress({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  for (const text of ips.toReversed()) {
    const address = readAddress(text ?? '');
    if (address !== null) return address;
  }
  return '0.0.0.0';
}
