/** Limits of one request, as in the documentation of the service. */
export const limits = {
  /** Largest trials × channels × samples, both at the rate sent and at `resampledHz`. */
  numbersPerRequest: 4_000_000,
  /** Most windows. A trial counts as one window for each whole four seconds, at least one. */
  windowsPerRequest: 4_096,
  windowSeconds: 4,
  /** Rate in Hz to which the service resamples. */
  resampledHz: 256,
} as const;

/** Size of a trial. */
export interface TrialSize {
  readonly channels: number;
  readonly samples: number;
  readonly samplingRateHz: number;
}

/** Windows of one trial, for the limit of a request and for the price. */
export function windowsPerTrial({ samples, samplingRateHz }: TrialSize): number {
  return Math.max(1, Math.floor((samples / samplingRateHz + 1e-9) / limits.windowSeconds));
}

/**
 * Largest number of trials of this size in one request. At least 1: the service itself refuses a trial that is too
 * large.
 */
export function trialsPerRequest(size: TrialSize): number {
  const { channels, samples, samplingRateHz } = size;
  const resampled = Math.ceil((samples * limits.resampledHz) / samplingRateHz);
  const numbers = channels * Math.max(samples, resampled);
  const largest = Math.min(limits.numbersPerRequest / numbers, limits.windowsPerRequest / windowsPerTrial(size));
  return Math.max(1, Math.floor(largest));
}
