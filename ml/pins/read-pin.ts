import { isWithoutEncoder } from '../encoders/ids.ts';

/** The parts of a pin; null if the text is not a pin. */
export interface Pin {
  readonly kind: string;
  /** '' for kinds with a single member (the format, the resampler, the answer). */
  readonly name: string;
  readonly version: string;
}

/** Cache of parsed pins: every request about a model parses about twelve, and few differ. */
const known = new Map<string, Pin | null>();
const mostKnown = 4_096;

/** Reads `kind:name@version` or `kind@version`. */
export function readPin(pin: string): Pin | null {
  const before = known.get(pin);
  if (before !== undefined) return before;
  const [, kind, name = '', version] = /^([a-z]+)(?::([^@]+))?@([^@]+)$/.exec(pin) ?? [];
  const read = kind ? { kind, name, version } : null;
  if (known.size < mostKnown) known.set(pin, read);
  return read;
}

/** True if a pin names weights, which are files on machines, and not a version of the code. */
export const isOfWeights = (pin: string): boolean => readPin(pin)?.kind === 'weights';

const words: Readonly<Record<string, string>> = { format: 'storage format' };

/** Kinds that need more words than a version. */
const sentences: Readonly<Record<string, (pin: Pin) => string>> = {
  weights: ({ name, version }) => `the weights of ${name} with sha256 ${version.slice(0, 12)}…`,
};

/** A pin in plain words: "version 1 of the method csp-lda". */
export function describePin(pin: string): string {
  const read = readPin(pin);
  if (!read) return `"${pin}"`;
  if (Object.hasOwn(sentences, read.kind)) return sentences[read.kind](read);
  return `version ${read.version} of the ${words[read.kind] ?? read.kind}${read.name ? ` ${read.name}` : ''}`;
}

/** The version of the resampler among pins; undefined where none is pinned. */
export function resamplerOf(pins: readonly string[]): number | undefined {
  const pin = pins.map(readPin).find((read) => read?.kind === 'resampler');
  return pin ? Number(pin.version) : undefined;
}

/** True if the pins contain the weights of an encoder. */
export const readsEncoders = (pins: readonly string[]): boolean =>
  pins.some((pin) => isOfWeights(pin) && !isWithoutEncoder({ id: readPin(pin)!.name }));
