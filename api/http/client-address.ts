import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads addresses and CIDR ranges; throws on one that is neither. */
export function parseRanges(texts: readonly string[]): Range[] {
  return texts.map((text) => {
    if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
}

const within = (text: string, ranges: readonly Range[]): boolean => {
  const address = ipaddr.process(text);
  return ranges.some((range) => range[0].kind() === address.kind() && address.match(range as never));
};

/** Without port, brackets, zone; an IPv4 address mapped into IPv6 as IPv4. Null when it is no address. */
function readAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null;
}

/**
 * The caller's address: the peer's, or where the peer is a trusted proxy, the rightmost address of X-Forwarded-For that is not one.
 * What stands left of an untrusted or unreadable entry was written by strangers and is not believed.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: readonly Range[]): string {
  let address = readAddress(peer) ?? '0.0.0.0';
  if (trusted.length === 0) return address;
  for (const entry of (forwardedFor ?? '').split(',').toReversed()) {
    if (!within(address, trusted)) return address;
    const next = readAddress(entry);
    if (next === null) return address;
    address = next;
  }
  return address;
}
