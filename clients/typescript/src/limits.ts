/** What one request may hold, as the documentation of the service says it. */
export const limits = {
  /** Trials × channels × samples, as sent and again at `resampledHz`. */
  numbersPerRequest: 4_000_000,
  /** Windows of four seconds; a shorter trial counts as one. */
  windowsPerRequest: 4_096,
  windowSeconds: 4,
  resampledHz: 256,
} as const;

/** How large a trial is. */
export interface TrialSize {
  readonly channels: number;
  readonly samples: number;
  readonly samplingRateHz: number;
}

/** Windows that a trial counts as, for the limit of a request and for money. */
export function windowsPerTrial({ samples, samplingRateHz }: TrialSize): number {
  return Math.max(1, Math.floor((samples / samplingRateHz + 1e-9) / limits.windowSeconds));
}

/** How many trials of this size one request takes; 1 at least, so that the service refuses what is too long. */
export function trialsPerRequest(size: TrialSize): number {
  const { channels, samples, samplingRateHz } = size;
  const resampled = Math.ceil((samples * limits.resampledHz) / samplingRateHz);
  const numbers = channels * Math.max(samples, resampled);
  const most = Math.min(limits.numbersPerRequest / numbers, limits.windowsPerRequest / windowsPerTrial(size));
  return Math.max(1, Math.floor(most));
}
