import { capBanks, explainName } from './not-electrodes.ts';
import { canonicalName } from './template.ts';

export interface ChannelError {
  readonly index: number;
  readonly message: string;
  /** The one name that is certainly meant, to send instead; empty if that is not certain. */
  readonly alternatives: string[];
}

export interface ResolvedChannels {
  /** Canonical 10-05 names, one per row; a name with an error stays as the caller sent it. */
  readonly names: string[];
  /** Names that were read as another: `T3` → `T7`, `FPZ` → `Fpz`. */
  readonly renamed: Record<string, string>;
  readonly errors: ChannelError[];
}

/**
 * Longer names, and errors after this many, get a plain message, so that a hostile body cannot make explanations
 * costly.
 */
const explained = { characters: 40, errors: 300 };

const plain = (name: string) => ({
  message:
    `\`${name.slice(0, explained.characters)}${name.length > explained.characters ? '…' : ''}\` is not a ` +
    `10-20, 10-10 or 10-05 electrode name.`,
  alternatives: [],
});

const empty = {
  message: 'An empty name is not an electrode name: send one 10-20, 10-10 or 10-05 name per row of `x`.',
  alternatives: [],
};

/**
 * Reads channel names as electrodes of the 10-05 template (spec, "Channels", "Legacy names", "Non-electrode rows"): any
 * case, T3–T6 as T7, T8, P7, P8; every name that is not an electrode, and every electrode named twice, is an error with
 * its index.
 */
export function resolveChannels(sent: readonly string[]): ResolvedChannels {
  const banks = capBanks(sent);
  const known = sent.map((name) =>
    banks.has(name.charAt(0).toUpperCase()) && /^.\d+$/.test(name) ? undefined : canonicalName(name),
  );
  const taken = new Set(known.filter((name) => name !== undefined));
  const first = new Map<string, number>();
  const renamed: Record<string, string> = {};
  const errors: ChannelError[] = [];
  const names = sent.map((name, index) => {
    const site = known[index];
    if (site === undefined) {
      const brief = name.length > explained.characters || errors.length >= explained.errors;
      const { message, alternatives } = brief
        ? plain(name)
        : (explainName(name, sent) ?? (name.trim() === '' ? empty : plain(name)));
      const free = alternatives.filter((alternative) => !taken.has(canonicalName(alternative) ?? ''));
      errors.push({ index, message, alternatives: free });
      if (free.length > 0) taken.add(canonicalName(free[0])!);
      return name;
    }
    const earlier = first.get(site);
    if (earlier !== undefined) {
      const pair = sent[earlier] === name ? `\`${name}\` is` : `\`${sent[earlier]}\` and \`${name}\` are`;
      errors.push({
        index,
        message:
          `${pair} the electrode \`${site}\` twice, in rows ${earlier} and ${index}: name each electrode ` +
          `once and remove the other row from \`x\`.`,
        alternatives: [],
      });
    } else {
      first.set(site, index);
    }
    if (site !== name) renamed[name] = site;
    return site;
  });
  return { names, renamed, errors };
}
