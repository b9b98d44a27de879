import { createHash } from 'node:crypto';
import { limits } from '../../infra/contract/limits.ts';
import type { ZeroShotRequest } from '../contract/requests.ts';
import type { SignalReport } from '../../infra/contract/task-model.ts';
import { contextsOf, recordingsOf, sessionsOf } from './grouping.ts';
import { expiryWarnings } from './expiry.ts';
import { headPositions, positionFindings } from './channels.ts';
import { labelFindings } from './labels.ts';
import { parseBody } from './parse.ts';
import { readKnown, rememberRead } from './read-known.ts';
import { readTrials, type Envelope, type TrialRequest } from './read-trials.ts';
import { readZeroShot } from './read-zero-shot.ts';
import { refusal, type Problem, type Refusal, type Sent } from './problems.ts';
import { scan } from './scan.ts';
import { signalReport, windowsOf } from './signal.ts';
import type { Unit } from './units.ts';
import { currentResampler, fingerprintsOf, flatTrials, resampledLength, resamplerAt } from '../../ml/signal/index.ts';
import { checkTrials, deadTrials, linksIn, scaleOf } from '../../ml/checks/index.ts';
import type { Links } from '../../ml/evidence/types.ts';
import type { Finding, Fingerprints, Trials } from '../../ml/types.ts';
import { count } from '../../infra/contract/quote.ts';

export interface IntakeAccepted {
  readonly ok: true;
  /** SHA-256 of the exact bytes, hex: the identity of the request for idempotency; empty if it is not needed. */
  readonly hash: string;
  /** All fields except `x`, validated, with defaults. */
  readonly envelope: Envelope | ZeroShotRequest;
  /** Microvolts at 256 Hz with canonical names; null for zero-shot. */
  readonly trials: Trials | null;
  /** Canonical channel names, one per row, in the order sent. */
  readonly channelNames: readonly string[];
  /** Billed windows. */
  readonly windows: number;
  /** Changes to the signal; null for zero-shot. */
  readonly signal: SignalReport | null;
  /** Findings about the data, for an estimate. `signal.warnings` contains the same. */
  readonly findings: readonly Finding[];
  /** Links between the trials of a create or batch. None of these trials is flat. Null if there are no links. */
  readonly links?: Links | null;
  /** Session of each trial (`sessions`, else `session` for all); null where the caller named none. */
  readonly sessions: readonly string[] | null;
  /** Recording of each trial for normalisation; null if nothing groups the trials. */
  readonly recordings: Int32Array | null;
  /** Names of the recordings of `normalization_context`, one per trial; null without one. */
  readonly contexts: readonly string[] | null;
}

/** Identity of a body for idempotency. */
export const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

type Read = Extract<ReturnType<typeof readTrials>, { ok: true }>;
export type IntakeResult = IntakeAccepted | { readonly ok: false; readonly hash: string; readonly error: Refusal };

/**
 * Reads a request body: JSON, fields, numbers, units, channels, limits. Reports every failing field at once. Converts
 * to microvolts, 256 Hz and canonical names. `resampler`: its version. `hashed`: whether the hash is needed. Pure
 * except for the clock. Never throws for invalid input.
 */
export function intake(
  body: Uint8Array,
  what: TrialRequest,
  now: Date = new Date(),
  resampler: number = currentResampler(),
  hashed = true,
): IntakeResult {
  const hash = hashed ? hashOf(body) : '';
  const sizes = scan(body);
  const known = what === 'predict' ? readKnown(body, sizes) : null;
  if (known) return accepted(known, { hash, what, resampler });
  const refused = (problems: readonly Problem[], sent?: Sent): IntakeResult => ({
    ok: false,
    hash,
    error: refusal(problems, sent),
  });
  const parsed = parseBody(body, sizes);
  if (!parsed.ok) return refused(parsed.problems);
  const fields = what === 'create' ? withoutNullMode(parsed.value) : parsed.value;
  const isZeroShot = what === 'create' && meansZeroShot(fields.mode);
  const readAgain = (changed: Sent['body']) =>
    isZeroShot ? readZeroShot(changed, now) : readTrials(changed, what, { now, resampledLength });
  const sent: Sent | undefined = parsed.notJson
    ? undefined
    : { body: fields, passes: (changed) => readAgain(changed).ok };
  if (isZeroShot) {
    const read = readZeroShot(fields, now);
    if (!read.ok) return refused(read.problems, sent);
    if (parsed.notJson) return refused([notJson(parsed.notJson)]);
    return {
      ok: true,
      hash,
      envelope: read.envelope,
      trials: null,
      channelNames: read.channels.names,
      windows: 0,
      signal: null,
      findings: [],
      sessions: null,
      recordings: null,
      contexts: null,
    };
  }
  const read = readTrials(fields, what, { now, resampledLength });
  if (!read.ok) return refused(read.problems, sent);
  if (parsed.notJson) return refused([notJson(parsed.notJson)]);
  if (what === 'predict') rememberRead(body, sizes, read);
  return accepted(read, { hash, what, resampler });
}

/** The result for valid trials. Only a prediction of flat trials can still be rejected here. */
function accepted(
  read: Read,
  { hash, what, resampler }: { readonly hash: string; readonly what: TrialRequest; readonly resampler: number },
): IntakeResult {
  const { envelope, shape, channels } = read;
  const [trials, rows] = shape;
  const rateHz = envelope.sampling_rate_hz;
  const asSent = trialsAsSent(read);
  const flat = what === 'predict' ? flatTrials(read.microvolts, ...shape) : deadTrials(asSent);
  if (what === 'predict' && flat.length === trials) return { ok: false, hash, error: refusal([nothingToRead(trials)]) };
  const sessions = sessionsOf(envelope as Parameters<typeof sessionsOf>[0], trials);
  const { findings, scale, fingerprints, links } = findingsOf(read, sessions, asSent, flat);
  const resampled = atWorkingRate(read, resampler);
  const positions = headPositions(envelope.positions, envelope.position_frame);
  return {
    ok: true,
    hash,
    envelope,
    trials: {
      data: resampled.data,
      trials,
      channels: rows,
      samples: resampled.samples,
      rateHz: limits.workingRateHz,
      sourceRateHz: rateHz,
      channelNames: channels.names,
      resampler,
      ...(positions ? { positions } : {}),
      ...(flat.length > 0 ? { flat } : {}),
      scale,
      ...(fingerprints ? { fingerprints } : {}),
      ...(envelope.stride_seconds === null ? {} : { strideSeconds: envelope.stride_seconds }),
    },
    channelNames: channels.names,
    windows: windowsOf(shape, rateHz),
    signal: signalReport({ shape, rateHz, units: envelope.units, renamed: channels.renamed, findings }),
    findings,
    ...(links === undefined ? {} : { links }),
    sessions,
    recordings: recordingsOf(envelope as Parameters<typeof recordingsOf>[0], trials),
    contexts: contextsOf(envelope as Parameters<typeof contextsOf>[0], trials),
  };
}

/** Microvolts at the working rate. Trials that were sent at this rate are not copied. */
function atWorkingRate(
  { envelope, shape, microvolts }: Read,
  version: number,
): { data: Float32Array; samples: number } {
  const [trials, rows, samples] = shape;
  const rateHz = envelope.sampling_rate_hz;
  const resample = resamplerAt(version);
  if (rateHz === limits.workingRateHz) return { data: microvolts, samples };
  return resample(microvolts, trials * rows, samples, rateHz, limits.workingRateHz);
}

const naiveExpiry = (message: string): Finding => ({ check: 'expires_at', message, change: null, remove: null });

/** The trials before they are resampled, in microvolts. */
function trialsAsSent({ envelope, shape, channels, microvolts }: Read): Trials {
  const [trials, rows, samples] = shape;
  const rateHz = envelope.sampling_rate_hz;
  const form = { trials, channels: rows, samples, rateHz, sourceRateHz: rateHz, channelNames: channels.names };
  return { ...form, data: microvolts };
}

/** Findings about the trials as sent, and their amplitude. */
function findingsOf(
  { envelope, sentLabels }: Read,
  sessions: readonly string[] | null,
  sent: Trials,
  flat: readonly number[],
): { findings: Finding[]; scale: number; fingerprints?: Fingerprints; links?: Links | null } {
  const asSent: Trials = { ...sent, flat };
  const checked = { trials: asSent, units: envelope.units as Unit };
  const scale = scaleOf(asSent);
  const places = positionFindings(envelope.positions, envelope.position_frame, sent.channelNames);
  if (!('labels' in envelope)) return { findings: [...places, ...checkTrials(checked)], scale };
  const { labels } = envelope;
  const findings = [
    ...labelFindings(labels, sentLabels),
    ...places,
    ...('expires_at' in envelope ? expiryWarnings(envelope.expires_at).map(naiveExpiry) : []),
    ...checkTrials({ ...checked, labels, sessions, whole: 'defer_fit' in envelope && !envelope.defer_fit }),
  ];
  const links = flat.length === 0 ? { links: linksIn(asSent) } : {};
  return { findings, scale, fingerprints: fingerprintsOf(asSent), ...links };
}

/** Null means absent. `mode` is a field of zero-shot requests only, so that the schema of creates does not know it. */
function withoutNullMode(body: Record<string, unknown>): Record<string, unknown> {
  if (body.mode !== null) return body;
  const { mode: _mode, ...others } = body;
  return others;
}

/** Whether `mode` means zero-shot. A misspelt mode is rejected itself, instead of the missing trials. */
const meansZeroShot = (mode: unknown): boolean =>
  typeof mode === 'string' && /^zero[ _-]?shot$/.test(mode.slice(0, 20).trim().toLowerCase());

const notJson = (token: string): Problem => ({
  field: 'body',
  message: `The body is not JSON: it holds ${token}, which JSON does not have.`,
});

/** The failure of a prediction of flat trials only. */
const nothingToRead = (trials: number): Problem => ({
  field: 'x',
  message:
    `x carries no signal: every channel is constant in each of the ${count(trials)} trials. ` +
    'Send the trials as they were recorded.',
});
