import { takeTrials } from '../../../../infra/recordings/trials.ts';
import type { Cut } from './cut.ts';

/** Fields of a create request other than its trials. */
export interface Details {
  readonly name: string | null;
  readonly description: string;
  readonly expires_at: string | null;
  /** Length of each trial before its event, seconds; null: not stated. */
  readonly baselineSeconds: number | null;
  /** The model collects trials, and is fitted later. */
  readonly collects?: boolean;
}

/** The signal and labels of one request. */
function batchFields({ trials, batches }: Cut, batch: number) {
  const rows = batches[batch];
  const whole = rows.length === trials.labels.length && batches.length === 1;
  const part = whole ? trials : takeTrials(trials, rows);
  const several = new Set(trials.sessions).size > 1;
  return {
    x: base64Of(part.x),
    shape: [part.labels.length, part.channels.length, part.samples],
    sampling_rate_hz: part.rateHz,
    units: 'uV',
    channels: part.channels,
    labels: part.labels,
    ...(several ? { sessions: part.sessions } : {}),
  };
}

/** Body of the create or its estimate. With more than one batch the fit is deferred. */
export const createBody = (cut: Cut, details: Details, dryRun: boolean, batch = 0): string =>
  JSON.stringify({
    ...batchFields(cut, batch),
    name: details.name,
    description: details.description,
    ...(details.expires_at === null ? {} : { expires_at: details.expires_at }),
    ...(details.baselineSeconds === null ? {} : { parameters: { baseline_seconds: details.baselineSeconds } }),
    ...(cut.batches.length > 1 || details.collects ? { defer_fit: true } : {}),
    ...(dryRun ? { dry_run: true } : {}),
  });

/** The body of a further batch. */
export const batchBody = (cut: Cut, batch: number): string => JSON.stringify(batchFields(cut, batch));

const chunk = 0x60_00;

/** Numbers as base64 of little-endian float32, the encoding of `x`. */
export function base64Of(values: Float32Array): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk) text += btoa(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  return text;
}
