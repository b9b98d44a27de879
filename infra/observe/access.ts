import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether an address is one of the addresses, CIDR ranges or named ranges (`loopback`, …). */
function inRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => {
    if (parsed.range() === range.toLowerCase()) return true;
    const [base, bits] = ipaddr.isValidCIDR(range)
      ? ipaddr.parseCIDR(range)
      : ipaddr.isValid(range)
        ? ([ipaddr.process(range), null] as const)
        : ([null, null] as const);
    if (base === null || base.kind() !== parsed.kind()) return false;
    return parsed.match(base, bits ?? (base.kind() === 'ipv4' ? 32 : 128));
  });
}

const hostForm = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@\\[\]]+))(?::\d{1,5})?$/i;

/**
 * The name or address in a Host header, lower case, without port and brackets; null: the header is missing or wrong.
 */
export function hostNameOf(header: string | undefined): string | null {
  const [, address, name] = hostForm.exec(header ?? '') ?? [];
  return (address ?? name)?.toLowerCase().replace(/\.$/, '') ?? null;
}

/** Browsers resolve these names to this machine and ask no name server. */
const isLocalName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

/**
 * Whether a Host header names this machine: a loopback address or `localhost`. A page of another site that moves its
 * own name to a loopback address (DNS rebinding) still sends its own name as Host.
 */
export function isLoopbackHost(header: string | undefined): boolean {
  const name = hostNameOf(header);
  return name !== null && (isLocalName(name) || (isIP(name) !== 0 && inRanges(name, ['loopback'])));
}

/** Who may read metrics (METRICS_ALLOW, METRICS_HOSTS). */
export interface MetricsAccess {
  /** Addresses or CIDR ranges besides loopback. */
  readonly metricsAllow?: readonly string[];
  /** Names by which a scraper reaches the process, besides addresses and `localhost`. */
  readonly metricsHosts?: readonly string[];
}

/**
 * Whether a request may read metrics: by the address of its connection, and by its Host, which is an address,
 * `localhost` or an allowed name. An address as Host is safe: DNS rebinding needs a name.
 */
export function mayReadMetrics(
  { address = '', host }: { readonly address: string | undefined; readonly host: string | undefined },
  { metricsAllow = [], metricsHosts = [] }: MetricsAccess,
): boolean {
  const name = hostNameOf(host);
  const isKnown = name !== null && (isIP(name) !== 0 || isLocalName(name) || metricsHosts.includes(name));
  return isKnown && inRanges(address, ['loopback', ...metricsAllow]);
}
