import { nearestOf } from '../../ml/channels/index.ts';
import type { Problem } from './problems.ts';

/** Names other tools give to fields of this interface. */
const otherNames: Readonly<Record<string, string>> = {
  data: 'x',
  eeg: 'x',
  signal: 'x',
  signals: 'x',
  trials: 'x',
  epochs: 'x',
  samples: 'x',
  fs: 'sampling_rate_hz',
  sfreq: 'sampling_rate_hz',
  srate: 'sampling_rate_hz',
  rate: 'sampling_rate_hz',
  sampling_rate: 'sampling_rate_hz',
  sample_rate: 'sampling_rate_hz',
  samplingrate: 'sampling_rate_hz',
  frequency: 'sampling_rate_hz',
  hz: 'sampling_rate_hz',
  y: 'labels',
  targets: 'labels',
  classes: 'labels',
  events: 'labels',
  ch_names: 'channels',
  channel_names: 'channels',
  electrodes: 'channels',
  montage: 'channels',
  unit: 'units',
  task: 'description',
  title: 'name',
  dims: 'shape',
  dimensions: 'shape',
  groups: 'sessions',
  runs: 'sessions',
  coordinates: 'positions',
  locations: 'positions',
  frame: 'position_frame',
  stride: 'stride_seconds',
  step_seconds: 'stride_seconds',
  expires: 'expires_at',
  ttl: 'expires_in_days',
  test: 'dry_run',
  estimate: 'dry_run',
};

/**
 * Adds the nearest known name to the error of a field that is not one of this request. The fix is an object merged
 * into the request (null removes a field): it moves the value where the known field is not there yet.
 */
export function nameUnknownField(
  problem: Problem,
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Problem {
  const { field } = problem;
  if (problem.kind !== 'unknown field' || !Object.hasOwn(body, field)) return problem;
  const lower = field.toLowerCase();
  const other = Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined;
  const alias = other !== undefined && known.includes(other) ? other : undefined;
  const nearest =
    alias ?? (field.length <= 40 ? nearestOf(field, known, 1, Math.ceil(field.length / 3))[0] : undefined);
  if (!nearest)
    return {
      ...problem,
      message: `${problem.message} Its fields are ${known.map((name) => `\`${name}\``).join(', ')}.`,
    };
  const value = body[field];
  const movable =
    !Object.hasOwn(body, nearest) &&
    (typeof value !== 'object' || JSON.stringify(value).length < 1_000) &&
    String(value).length < 1_000;
  return {
    ...problem,
    message: `${problem.message} The nearest field is \`${nearest}\`.`,
    alternatives: [movable ? { [field]: null, [nearest]: value } : { [field]: null }],
  };
}
