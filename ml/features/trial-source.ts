import { allocate, groupsOf, kernels, scope } from '../kernels/index.ts';
import { bandpassSos, filterAt, groupsAt, suitsKernels, welch, welchAt } from '../signal/index.ts';
import type { Sos, Spectrum } from '../signal/index.ts';
import type { SignalShape, Trials } from '../types.ts';
import type { Band } from './bands.ts';

/**
 * One trial and the signals derived from it, each computed once for all sets. Numbers are read-only addresses of groups
 * [channels × samples] in the kernels' memory (see ml/kernels).
 */
export interface TrialSource {
  readonly shape: SignalShape;
  /** [channels × samples], microvolts. */
  readonly data: Float32Array;
  /** The unfiltered trial. */
  raw(): number;
  /** Zero-phase Butterworth band-pass (scipy.signal.sosfiltfilt). */
  filtered(band: Band): number;
  /** Linear trend removed, then low-passed without phase shift. */
  detrendedBelow(highHz: number): number;
  /** Welch spectrum of segments of `segment` samples, Hamming, half overlapping. */
  spectrum(segment: number): Spectrum;
}

/** Shape of the signal in `trials`. */
export function shapeOf({
  channels,
  samples,
  rateHz,
  sourceRateHz,
  channelNames,
  positions,
  strideSeconds,
  resampler,
  scale,
  silent,
}: Trials): SignalShape {
  return {
    channels,
    samples,
    rateHz,
    sourceRateHz,
    channelNames,
    ...(positions ? { positions } : {}),
    ...(strideSeconds === undefined ? {} : { strideSeconds }),
    ...(resampler === undefined ? {} : { resampler }),
    ...(scale === undefined ? {} : { scale }),
    ...(silent ? { silent } : {}),
  };
}

/** Calls `use` with the source of each trial in order. The computed signals are freed after its call. */
export function forEachTrial(trials: Trials, use: (source: TrialSource, trial: number) => void): void {
  const size = trials.channels * trials.samples;
  const shape = shapeOf(trials);
  for (let trial = 0; trial < trials.trials; trial++) {
    scope(() => use(createSource(shape, trials.data.subarray(trial * size, (trial + 1) * size)), trial));
  }
}

function createSource(shape: SignalShape, data: Float32Array): TrialSource {
  const { channels, samples } = shape;
  const addresses = new Map<string, number>();
  const once = (id: string, compute: () => number): number => {
    const at = addresses.get(id) ?? compute();
    addresses.set(id, at);
    return at;
  };
  const spectra = new Map<number, Spectrum>();
  const raw = (): number => once('raw', () => groupsAt(data, channels, samples));
  const copy = (): number => allocate(groupsOf(channels) * samples * 64);
  const filter = (from: number, to: number, band: Band): number => {
    const sos = filterOf(band, shape.rateHz);
    filterAt(sos, { from, to, rows: channels, samples });
    return to;
  };
  return {
    shape,
    data,
    raw,
    filtered: (band) => once(`${band.lowHz}-${band.highHz}`, () => filter(raw(), copy(), band)),
    detrendedBelow: (highHz) =>
      once(`erp ${highHz}`, () => {
        const at = groupsAt(data, channels, samples);
        kernels().detrendGroups(at, groupsOf(channels), samples, 1);
        return filter(at, at, { lowHz: null, highHz });
      }),
    spectrum(segment) {
      const known = spectra.get(segment) ?? spectrumOf(shape, data, raw, segment);
      spectra.set(segment, known);
      return known;
    },
  };
}

/** Welch spectrum of rows in `data`, which are also in groups at the address `raw`. */
export function spectrumOf(
  { channels, samples, rateHz }: SignalShape,
  data: Float32Array | Float64Array,
  raw: () => number,
  segment: number,
): Spectrum {
  return suitsKernels(segment)
    ? welchAt({ at: raw(), rows: channels, samples, rateHz }, segment)
    : welch(data, channels, samples, rateHz, { segment });
}

const designs = new Map<string, Sos>();

/** The Butterworth filter of a band, designed once. Narrow bands ring longer: order 2 below 4 Hz of width, else 4. */
export function filterOf({ lowHz, highHz }: Band, rateHz: number): Sos {
  const id = `${lowHz} ${highHz} ${rateHz}`;
  const sos = designs.get(id) ?? bandpassSos(lowHz, highHz, lowHz !== null && highHz - lowHz < 4 ? 2 : 4, rateHz);
  if (designs.size < 256) designs.set(id, sos);
  return sos;
}
