import { mlLimits } from '../../ml/limits.ts';

/** Milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/**
 * Limits of the public interface (spec, "Limits"; design, "Gaps in the spec, decided"). One table, imported
 * everywhere.
 */
export const limits = {
  ...mlLimits,
  numbersPerRequest: 4_000_000,
  windowsPerRequest: 4_096,
  trialsPerModel: 250_000,
  batchesPerModel: 10_000,
  featureBytesPerModel: 16 * 1024 ** 3,
  classesPerModel: 1_000,
  classNameBytesPerModel: 64 * 1024,
  windowSeconds: 4,
  bodyBytes: 64 * 1024 * 1024,
  answerBytes: 32 * 1024 * 1024,
  minClasses: 2,
  descriptionCharacters: 100,
  nameCharacters: 200,
  labelCharacters: 200,
  channelsPerRequest: 1_024,
  samplingRateHz: { min: 1, max: 100_000 },
  baselineSeconds: { min: 0.1, max: 60 },
  expiresInDays: { min: 1, max: 3_650 },
  zeroShotClasses: { min: 2, max: 64 },
  listPageSize: { min: 1, max: 100, default: 20 },
  collectingDays: 7,
  hostingDays: 30,
  testModelDays: 30,
  unpaidGraceDays: 7,
  idempotencyKeyDays: 30,
  idempotencyKeyBytes: 255,
  inlineAnswerBytes: 64 * 1024,
  jobDays: 30,
  fitWaitMinutes: 10,
  waitSeconds: 300,
  requestLogDays: 30,
  usageDays: 400,
  holdDays: 400,
  livingKeys: 100,
  shareLinksPerModel: 10,
  stagedMinutes: 15,
  fitHours: 6,
  rateWindowSeconds: 10,
  warningsOfBatches: 50,
  browserFileBytes: 512 * 1024 * 1024,
} as const;

/** How long the password of an account is. */
export const passwordCharacters = { min: 8, max: 1_000 } as const;

/** Limits a new account starts with; the operator changes them per account. */
export const newAccountLimits = {
  rps: 10,
  burst: 20,
  concurrency: 8,
  dailyEstimates: 200,
  dailyCapMicroUsd: null,
  monthlyCapMicroUsd: null,
  dailyTestCreates: 1_000,
  dailyTestWindows: 2_000_000,
  collectingModels: 1_000,
  testModels: 10_000,
  liveModels: 10_000,
  runningFits: 100,
  batchBytes: 20 * 1024 ** 3,
  storedAnswers: 1_000_000,
  storedAnswerBytes: 4 * 1024 ** 3,
} as const;

/**
 * Billed windows of one trial: `max(1, floor(seconds / 4))`, the same count for the 4,096 limit and for money.
 * A nanosecond is added, so that a trial of whole windows does not lose one to the rounding of `samples / rate`.
 */
export function windowsPerTrial(samples: number, rateHz: number): number {
  const seconds = samples / rateHz;
  return Math.max(1, Math.floor((seconds + 1e-9) / limits.windowSeconds));
}

/** Trials of one shape that one request may carry, as sent and after resampling; 0 where a single one is too large. */
export function trialsPerRequest(channels: number, samples: number, rateHz: number): number {
  const numbers = channels * samples * Math.max(1, limits.workingRateHz / rateHz);
  const most = Math.min(
    limits.numbersPerRequest / numbers,
    limits.windowsPerRequest / windowsPerTrial(samples, rateHz),
  );
  return Math.floor(most);
}
