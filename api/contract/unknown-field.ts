import { safeParse, type z } from 'zod';
import type { FieldError } from '../../infra/contract/errors.ts';
import { nearestOf } from './nearest.ts';
import { createRequest, predictRequest, zeroShotRequest } from './requests.ts';
import { parametersOf } from './unknown-parameter.ts';

/** Names other tools give to fields of this interface; none that may mean something else. */
const otherNames: Readonly<Record<string, string>> = {
  data: 'x',
  eeg: 'x',
  signal: 'x',
  signals: 'x',
  epochs: 'x',
  fs: 'sampling_rate_hz',
  sfreq: 'sampling_rate_hz',
  srate: 'sampling_rate_hz',
  rate: 'sampling_rate_hz',
  sampling_rate: 'sampling_rate_hz',
  sample_rate: 'sampling_rate_hz',
  samplingrate: 'sampling_rate_hz',
  hz: 'sampling_rate_hz',
  y: 'labels',
  targets: 'labels',
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
  estimate: 'dry_run',
  dryrun: 'dry_run',
  'dry-run': 'dry_run',
  dry: 'dry_run',
  preview: 'dry_run',
  simulate: 'dry_run',
  validate_only: 'dry_run',
};

/** Fields that change what a request costs or is about: none is left out, or overruled, to make it succeed. */
const spares: ReadonlySet<string> = new Set(['dry_run', 'x']);

type Fields = Readonly<Record<string, z.core.$ZodType>>;
type Body = Readonly<Record<string, unknown>>;

/** The known field that an unknown one is: another tool's name for it, else the one that is spelt nearly so. */
function meantBy(field: string, known: readonly string[]): string | undefined {
  const lower = field.toLowerCase();
  const other = Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined;
  if (other !== undefined) return other;
  return nearestOf(field, known);
}

/**
 * `sessions` of a prediction: the recordings that `align: "batch"` recentres by themselves are named by the context.
 */
function asContext(body: Body, fields: Fields): Body | undefined {
  const context = { session_id: body.sessions };
  return 'normalization_context' in fields &&
    !Object.hasOwn(body, 'normalization_context') &&
    safeParse(fields.normalization_context, context).success
    ? { sessions: null, normalization_context: context }
    : undefined;
}

/** Fields of the requests that carry trials or describe a task: each means nothing in the others of them. */
const elsewhere: ReadonlySet<string> = new Set(
  [createRequest, predictRequest, zeroShotRequest].flatMap((request) => Object.keys(request.shape)),
);

/**
 * Whether a field can be left out without a loss: it belongs to another request, as it does where a whole one is sent
 * on.
 */
const isIdle = (field: string, fields: Fields): boolean =>
  elsewhere.has(field) && !spares.has(field) && 'channels' in fields;

/**
 * The change of the body that says the same without the unknown field, merged into the request (null removes a field):
 * the value moves to the field that it is meant for where that is not there yet and accepts it; a field of another
 * request is left out. undefined where neither is sure.
 */
function mended(field: string, meant: string | undefined, body: Body, fields: Fields): Body | undefined {
  const value = body[field];
  if (value === null || (value === false && spares.has(field))) return { [field]: null };
  if (field === 'sessions') return asContext(body, fields);
  if (meant === undefined || !Object.hasOwn(fields, meant))
    return isIdle(meant ?? field, fields) ? { [field]: null } : undefined;
  if (Object.hasOwn(body, meant)) return body[meant] === value ? { [field]: null } : undefined;
  return safeParse(fields[meant], value).success ? { [field]: null, [meant]: value } : undefined;
}

/** A parameter that stands beside `parameters`, and the change that puts it there. */
function asParameter(field: string, body: Body, fields: Fields): FieldError | null {
  const shape = parametersOf(fields);
  if (!Object.hasOwn(shape, field)) return null;
  const { parameters = {} } = body;
  const fits = typeof parameters === 'object' && parameters !== null && !Object.hasOwn(parameters, field);
  const moved = { [field]: null, parameters: { ...(parameters as object), [field]: body[field] } };
  return {
    field,
    message: `${field}: is not a field of this request but one of its \`parameters\`.`,
    ...(fits && safeParse(shape[field], body[field]).success ? { alternatives: [moved] } : {}),
  };
}

/** The failure of a field that is not one of this request: which one it is taken for, and how to send it. */
export function unknownField(field: string, body: Body, fields: Fields): FieldError {
  const parameter = asParameter(field, body, fields);
  if (parameter) return parameter;
  const known = Object.keys(fields);
  const meant = meantBy(field, known);
  const fix = mended(field, meant, body, fields);
  return {
    field,
    message:
      `${field}: is not a field of this request. ` +
      (meant !== undefined && known.includes(meant)
        ? `The nearest field is \`${meant}\`.`
        : `Its fields are ${known.map((name) => `\`${name}\``).join(', ')}.`),
    ...(fix ? { alternatives: [fix] } : {}),
  };
}
