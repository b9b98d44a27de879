import { safeParse, type z } from 'zod';
import type { FieldError } from '../../infra/contract/errors.ts';
import { nearestOf } from './nearest.ts';
import { createRequest, predictRequest, zeroShotRequest } from './requests.ts';
import { parametersOf } from './unknown-parameter.ts';

/** Field names of other tools and their names here. Names with more than one possible meaning are not listed. */
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

/** Fields that change what a request costs or is about. A fix never removes or overrides them. */
const neverRemoved: ReadonlySet<string> = new Set(['dry_run', 'x']);

type Fields = Readonly<Record<string, z.core.$ZodType>>;
type Body = Readonly<Record<string, unknown>>;

/** The known field that an unknown one means: another tool's name for it, or a similar spelling. */
function meantBy(field: string, known: readonly string[]): string | undefined {
  const lower = field.toLowerCase();
  const other = Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined;
  if (other !== undefined) return other;
  return nearestOf(field, known);
}

/**
 * `sessions` of a prediction: in `align: "batch"`, `normalization_context` names the recordings that are recentred
 * separately.
 */
function asContext(body: Body, fields: Fields): Body | undefined {
  const context = { session_id: body.sessions };
  return 'normalization_context' in fields &&
    !Object.hasOwn(body, 'normalization_context') &&
    safeParse(fields.normalization_context, context).success
    ? { sessions: null, normalization_context: context }
    : undefined;
}

/** Fields of requests that contain trials or describe a task. They mean nothing in the other requests. */
const fieldsOfOtherRequests: ReadonlySet<string> = new Set(
  [createRequest, predictRequest, zeroShotRequest].flatMap((request) => Object.keys(request.shape)),
);

/** Whether the field can be removed safely: it belongs to a different request that was reused. */
const isRemovable = (field: string, fields: Fields): boolean =>
  fieldsOfOtherRequests.has(field) && !neverRemoved.has(field) && 'channels' in fields;

/**
 * The change that says the same without the unknown field, as an object to merge (null removes a field). The value
 * moves to the field that it means, if that field is absent and accepts it. A field of a different request is removed.
 * undefined if neither is certain.
 */
function fixOf(field: string, meant: string | undefined, body: Body, fields: Fields): Body | undefined {
  const value = body[field];
  if (value === null || (value === false && neverRemoved.has(field))) return { [field]: null };
  if (field === 'sessions') return asContext(body, fields);
  if (meant === undefined || !Object.hasOwn(fields, meant))
    return isRemovable(meant ?? field, fields) ? { [field]: null } : undefined;
  if (Object.hasOwn(body, meant)) return body[meant] === value ? { [field]: null } : undefined;
  return safeParse(fields[meant], value).success ? { [field]: null, [meant]: value } : undefined;
}

/** A parameter outside of `parameters`, and the change that moves it there. */
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

/** The error for an unknown field: the field that it probably means, and how to send it. */
export function unknownField(field: string, body: Body, fields: Fields): FieldError {
  const parameter = asParameter(field, body, fields);
  if (parameter) return parameter;
  const known = Object.keys(fields);
  const meant = meantBy(field, known);
  const fix = fixOf(field, meant, body, fields);
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
