import ipaddr from 'ipaddr.js';

/** Whether an address is one of the addresses, CIDR ranges or named ranges (`loopback`, …). */
export function inRanges(address: string, ranges: readonly string[]): boolean {
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

/** Whether metrics are told to an address: loopback, and what METRICS_ALLOW names. */
export const mayReadMetrics = (address: string, allowed: readonly string[]): boolean =>
  inRanges(address, ['loopback', ...allowed]);
