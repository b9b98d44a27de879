import { encodedUpToHz, extractFeatures, isEncoded, usableHz } from '../../ml/features/index.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import type { Trials } from '../../ml/types.ts';
import { requestSentence } from './request-sentences.ts';

/** The form of every trial of a model: that of the trials it was fitted on, or of its first batch. */
export type Form = Pick<FittedModel, 'shape' | 'featureSets' | 'featureVersions'>;

export interface Formed {
  readonly trials: Trials;
  /** Changes to the trials, as sentences with numbers. */
  readonly notes: readonly string[];
}

/** `1 s (256 samples at 256 Hz)`. */
export const lasting = (samples: number, rateHz: number): string =>
  `${Math.round((samples / rateHz) * 100) / 100} s (${samples} samples at ${rateHz} Hz)`;

/**
 * Tolerance of trial lengths in samples: one sample of the slower of the two recordings, because epochs may include or
 * omit their last sample. At least 4 (16 ms), at most a tenth of the trial.
 */
function tolerance({ sourceRateHz }: Trials, { shape }: Form): number {
  const slower = Math.min(sourceRateHz, shape.sourceRateHz);
  return Math.min(Math.max(4, Math.ceil(shape.rateHz / slower)), Math.max(1, Math.floor(shape.samples / 10)));
}

/** Rows of `samples` values: cut at the end, or extended by their last value. */
function ofLength(trials: Trials, samples: number): Trials {
  const rows = trials.trials * trials.channels;
  const data = new Float32Array(rows * samples);
  for (let row = 0; row < rows; row++) {
    const from = trials.data.subarray(row * trials.samples, (row + 1) * trials.samples);
    const to = data.subarray(row * samples, (row + 1) * samples);
    to.set(from.subarray(0, samples));
    if (from.length < samples) to.fill(from[from.length - 1], from.length);
  }
  return { ...trials, data, samples };
}

/**
 * The only rule of trial length for batches and predictions. Trials of nearly the model's length are cut or extended to
 * it. Others keep their length.
 */
export function ofFormLength(trials: Trials, form: Form): Formed {
  const { samples: fitted, rateHz } = form.shape;
  const { samples } = trials;
  if (samples === fitted || Math.abs(samples - fitted) > tolerance(trials, form)) return { trials, notes: [] };
  const done = samples > fitted ? 'cut at the end' : 'extended by their last value';
  const notes = [requestSentence('trial_length', { length: lasting(samples, rateHz), done, samples: fitted })];
  return { trials: ofLength(trials, fitted), notes };
}

/** Whether a set uses frequencies at the model's rate that trials of `sourceRateHz` do not contain. */
function readsBeyond(trials: Trials, sourceRateHz: number, { featureSets, featureVersions }: Form): boolean {
  const first = (trials.flat ?? []).findIndex((row, at) => row !== at);
  const row = first < 0 ? (trials.flat?.length ?? 0) % trials.trials : first;
  const size = trials.channels * trials.samples;
  const one = { ...trials, trials: 1, data: trials.data.subarray(row * size, (row + 1) * size) };
  const written = featureSets.filter((id) => !isEncoded(id));
  const setsAt = (hz: number) => extractFeatures({ ...one, sourceRateHz: hz }, written, featureVersions).sets;
  const [own, fitted] = [setsAt(trials.sourceRateHz), setsAt(sourceRateHz)];
  if (written.some((id) => String(own[id]) !== String(fitted[id]))) return true;
  const usable = (hz: number): number => usableHz({ sourceRateHz: hz, rateHz: trials.rateHz });
  return usable(trials.sourceRateHz) < Math.min(usable(sourceRateHz), encodedUpToHz(featureSets, featureVersions));
}

/**
 * The only rule of sampling rates for batches and predictions. Frequencies above the model's rate are not used. Throws
 * INVALID_REQUEST if the trials lack frequencies that the model uses.
 */
export function atFormRate(trials: Trials, form: Form): Formed {
  const { sourceRateHz, rateHz } = form.shape;
  const sent = trials.sourceRateHz;
  if (sent === sourceRateHz) return { trials, notes: [] };
  if (usableHz({ sourceRateHz: sent, rateHz }) < usableHz(form.shape) && readsBeyond(trials, sourceRateHz, form)) {
    throw invalidField(
      'sampling_rate_hz',
      `x was sampled at ${sent} Hz, and the model's trials at ${sourceRateHz} Hz: it reads frequencies that x does ` +
        `not contain. Send trials that were recorded at ${sourceRateHz} Hz or more.`,
    );
  }
  const notes = [
    requestSentence('other_rate', {
      sent,
      fitted: sourceRateHz,
      rate: rateHz,
      highest: Math.round(Math.min(usableHz({ sourceRateHz: sent, rateHz }), usableHz(form.shape)) * 10) / 10,
    }),
  ];
  return { trials: { ...trials, sourceRateHz }, notes };
}
