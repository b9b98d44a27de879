import { capBanks, canonicalName, resolveChannels } from '../../ml/channels/index.ts';
import { labelParts, type LabelParts } from './electrode-label.ts';
import type { RecordedChannel, Said } from './recording.ts';
import { capMaps, microvoltsPer, sharedReferenceElectrodes } from './rules.ts';
import { listed } from './sentences.ts';
import { gainOf } from './units.ts';

export interface Electrode {
  readonly name: string;
  /** Factor from the file's unit to microvolts. */
  readonly gain: number;
  readonly channel: RecordedChannel;
}

/** Interpretation of one channel of a file; `reason`: why a create cannot use it as an electrode. */
export interface ReadChannel {
  readonly channel: RecordedChannel;
  readonly electrode: Electrode | null;
  readonly reason: string | null;
}

/** Things that the file does not say and the person can. */
export interface Needs {
  /** Channels with the name of an electrode whose unit is missing, odd or unusable. */
  readonly unit: readonly string[];
  /** Channels that are the difference of two electrodes. */
  readonly pairs: readonly string[];
  /** Caps whose positions (A1, A2, …) the labels can be. */
  readonly caps: readonly string[];
}

export interface ReadChannels {
  readonly read: readonly ReadChannel[];
  /** Sampling rate of the electrodes; channels of other rates are not read. */
  readonly rateHz: number;
  /** Sentences about names that were changed and units that were guessed. */
  readonly notices: readonly string[];
  readonly needs: Needs;
}

interface Named {
  readonly channel: RecordedChannel;
  readonly name: string | null;
  /** Why it has no name. */
  readonly reason: string | null;
  /** The reference that was taken off. */
  readonly reference: string | null;
}

/** Every channel of a file, in order, as an electrode of the 10-05 system or with the reason why it is none. */
export function readChannels(channels: readonly RecordedChannel[], said: Said = {}): ReadChannels {
  const { named, pairs, caps, positions } = nameChannels(channels, said);
  const rateHz = rateOfElectrodes(named, pairs);
  const taken = new Set<string>();
  const unit: string[] = [];
  const guessed = new Map<string, string[]>();
  const read = named.map(({ channel, name, reason }): ReadChannel => {
    const without = (why: string): ReadChannel => ({ channel, electrode: null, reason: why });
    if (name === null) return without(reason!);
    if (channel.rateHz !== rateHz)
      return without(`It has ${channel.rateHz} Hz where the electrodes have ${rateHz} Hz.`);
    const { gain, why, isGuess } = gainOf(channel, said.unit);
    if (isGuess || gain === null) unit.push(channel.label);
    if (gain === null) return without(why!);
    if (taken.has(name)) return without(`The electrode ${name} is there already.`);
    taken.add(name);
    if (why !== null) guessed.set(why, [...(guessed.get(why) ?? []), channel.label]);
    return { channel, electrode: { name, gain, channel }, reason: null };
  });
  const used = new Set(read.filter(({ electrode }) => electrode).map(({ channel }) => channel));
  const references = new Map<string, number>();
  for (const { channel, reference } of named)
    if (reference !== null && used.has(channel)) references.set(reference, (references.get(reference) ?? 0) + 1);
  return {
    read,
    rateHz,
    notices: [
      ...(references.size > 0
        ? [
            `The names of ${[...references.values()].reduce((sum, count) => sum + count)} channels end in a reference ` +
              `(${listed([...references.keys()])}). It is taken off the name; the signal stays as it was recorded.`,
          ]
        : []),
      ...(positions.length > 0 && said.cap === undefined
        ? [
            `${positions.length} channels have names of positions on a BioSemi cap (${listed(positions)}). ` +
              (caps.length > 0
                ? `Choose the cap: ${caps.join(', ')}.`
                : 'No known cap has all of them: name the electrodes.'),
          ]
        : []),
      ...[...guessed].map(([why, labels]) => `${listed(labels)}: ${why}`),
      ...(pairs.length > 0
        ? [
            `${listed(pairs)} ${pairs.length === 1 ? 'is' : 'are'} left out: each is the difference of two electrodes ` +
              '(bipolar). Name the electrode that it means, or re-reference the recording.',
          ]
        : []),
    ],
    needs: { unit, pairs, caps },
  };
}

/**
 * The channels of a file that are electrodes of the 10-05 system, at the rate of the electrodes; and the labels of all
 * other channels (EOG, ECG, triggers, other rates).
 */
export function findElectrodes(
  channels: readonly RecordedChannel[],
  said: Said = {},
): { electrodes: Electrode[]; left: ReadChannel[]; rateHz: number; notices: readonly string[]; needs: Needs } {
  const { read, rateHz, notices, needs } = readChannels(channels, said);
  return {
    electrodes: read.flatMap(({ electrode }) => electrode ?? []),
    left: read.filter(({ electrode }) => !electrode),
    rateHz,
    notices,
    needs,
  };
}

/** The electrode of each channel by its label, the person's names and cap first. */
function nameChannels(channels: readonly RecordedChannel[], said: Said) {
  const parts = channels.map(({ label }) => labelParts(label));
  const banks = capBanks(parts.map(({ name }) => name));
  const isCap = ({ name, second }: LabelParts): boolean =>
    second === null && /^[A-H]\d{1,2}$/i.test(name) && banks.has(name[0].toUpperCase());
  const positions = parts.filter((each) => isCap(each)).map(({ name }) => name.toUpperCase());
  const caps = Object.keys(capMaps).filter(
    (cap) => positions.length > 0 && positions.every((each) => Object.hasOwn(capMaps[cap], each)),
  );
  const shared = sharedReference(parts);
  const pairs: string[] = [];
  const named = channels.map((channel, i): Named => {
    const { name, second, isReference } = parts[i];
    const none = (reason: string): Named => ({ channel, name: null, reason, reference: null });
    const own = said.names && Object.hasOwn(said.names, channel.label) ? said.names[channel.label] : undefined;
    if (own !== undefined) {
      const site = canonicalName(own);
      if (own === '') return none('It was left out by hand.');
      return site ? { channel, name: site, reason: null, reference: null } : none(`“${own}” is not an electrode name.`);
    }
    if (isCap(parts[i])) {
      const map = said.cap !== undefined && Object.hasOwn(capMaps, said.cap) ? capMaps[said.cap] : {};
      const site = Object.hasOwn(map, name.toUpperCase()) ? map[name.toUpperCase()] : null;
      if (site !== null) return { channel, name: site, reason: null, reference: null };
      return none(`${name} is a position of a cap. Choose the cap${caps.length > 0 ? ` (${caps.join(', ')})` : ''}.`);
    }
    const site = canonicalName(name);
    if (site !== undefined && (second === null || isReference || second.toUpperCase() === shared))
      return { channel, name: site, reason: null, reference: second };
    if (site !== undefined && second !== null) {
      pairs.push(channel.label);
      return none(
        `It is the difference of ${name} and ${second} (bipolar). Name the electrode that it means, or leave it out.`,
      );
    }
    return none(reasonFor(second === null ? name : channel.label));
  });
  return { named, pairs, caps, positions };
}

/** Why a name is no electrode, in the words of the service without its fields. */
function reasonFor(name: string): string {
  const message = resolveChannels([name]).errors[0]?.message ?? `\`${name}\` is not an electrode name.`;
  return message;
}

/**
 * The second name that all electrodes have (`C3-Fz`, `C4-Fz`), in upper case: their common reference. Null if the
 * electrodes have different ones.
 */
function sharedReference(parts: readonly LabelParts[]): string | null {
  const seconds = parts.flatMap(({ name, second, isReference }) =>
    canonicalName(name) === undefined ? [] : [second === null || isReference ? '' : second.toUpperCase()],
  );
  return seconds[0] !== '' && seconds.length >= sharedReferenceElectrodes && new Set(seconds).size === 1
    ? seconds[0]
    : null;
}

/**
 * The rate that most electrodes have, the higher of two equally frequent ones. Without electrodes: the rate of most
 * pairs of electrodes, else of most channels in a unit of voltage, else of most channels.
 */
function rateOfElectrodes(named: readonly Named[], pairs: readonly string[]): number {
  const ways = [
    named.filter(({ name }) => name !== null),
    named.filter(({ channel }) => pairs.includes(channel.label)),
    named.filter(({ channel }) => microvoltsPer(channel.unit) !== undefined),
    named,
  ];
  const rates = new Map<number, number>();
  for (const { channel } of ways.find(({ length }) => length > 0) ?? [])
    rates.set(channel.rateHz, (rates.get(channel.rateHz) ?? 0) + 1);
  return [...rates].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}
