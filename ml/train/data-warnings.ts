import type { Trials } from '../types.ts';
import { spectrumWarnings } from './spectrum-warnings.ts';

/** Standard deviations in microvolts between which scalp EEG lies. */
const plausible = { low: 0.5, high: 2_000 } as const;

interface Channel {
  readonly name: string;
  readonly deviation: number;
  /** A few numbers of the signal by which copies are recognised. */
  readonly samples: Float64Array;
}

const probes = 512;
/** Trials whose variance is taken, evenly spread. */
const looked = 64;

function channelsOf({ data, trials, channels, samples, channelNames }: Trials): Channel[] {
  const used = Math.min(trials, looked);
  const step = Math.max(1, Math.floor((trials * samples) / probes));
  return channelNames.map((name, c) => {
    let sum = 0;
    let square = 0;
    for (let k = 0; k < used; k += 1) {
      const from = (Math.floor((k * trials) / used) * channels + c) * samples;
      let own = 0;
      let ownSquare = 0;
      for (let i = 0; i < samples; i += 1) {
        const value = data[from + i];
        own += value;
        ownSquare += value * value;
      }
      sum += own / samples;
      square += Math.max(0, ownSquare / samples - (own / samples) ** 2);
    }
    const probed = Float64Array.from({ length: Math.min(probes, trials * samples) }, (_, k) => {
      const at = k * step;
      return data[(Math.floor(at / samples) * channels + c) * samples + (at % samples)];
    });
    return {
      name,
      deviation: Math.sqrt(square / used),
      samples: sum === 0 && square === 0 ? new Float64Array(0) : probed,
    };
  });
}

const list = (names: readonly string[]): string =>
  names.slice(0, 8).join(', ') + (names.length > 8 ? ` and ${names.length - 8} more` : '');

function flat(channels: readonly Channel[]): string | null {
  const typical = median(channels.map((channel) => channel.deviation));
  const names = channels
    .filter(({ deviation }) => deviation <= 1e-6 || deviation < typical * 1e-3)
    .map((channel) => channel.name);
  return names.length > 0
    ? `Flat channels: ${list(names)} carry no signal (below a thousandth of the median channel). Leave them out.`
    : null;
}

function duplicated(channels: readonly Channel[]): string | null {
  const pairs: string[] = [];
  channels.forEach((a, i) =>
    channels.slice(i + 1).forEach((b) => {
      if (a.deviation > 1e-6 && same(a.samples, b.samples, a.deviation)) pairs.push(`${a.name} = ${b.name}`);
    }),
  );
  return pairs.length > 0 ? `Duplicated channels: ${list(pairs)} hold the same signal.` : null;
}

function same(a: Float64Array, b: Float64Array, deviation: number): boolean {
  return a.length > 0 && a.length === b.length && a.every((value, i) => Math.abs(value - b[i]) <= 1e-5 * deviation);
}

function units(channels: readonly Channel[]): string | null {
  const typical = median(channels.map((channel) => channel.deviation));
  const shown = Number(typical.toPrecision(3));
  if (typical > 1e-6 && typical < plausible.low)
    return (
      `Likely wrong units: the median channel varies by ${shown} µV, less than any scalp EEG ` +
      `(${plausible.low} µV). Were the values in mV or V?`
    );
  if (typical > plausible.high)
    return (
      `Likely wrong units: the median channel varies by ${shown} µV, more than any scalp EEG ` +
      `(${plausible.high} µV). Were the values in µV already?`
    );
  return null;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * What can be seen of the signal itself: flat or duplicated channels, line noise, likely wrong units or rate. In words
 * with numbers.
 */
export function dataWarnings(trials: Trials): string[] {
  const channels = channelsOf(trials);
  return [flat(channels), duplicated(channels), units(channels), ...spectrumWarnings(trials)].filter(
    (text) => text !== null,
  );
}
