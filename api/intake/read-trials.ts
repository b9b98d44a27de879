import { count } from '../../infra/contract/quote.ts';
import {
  batchRequest,
  createRequest,
  predictRequest,
  type BatchRequest,
  type CreateRequest,
  type PredictRequest,
} from '../contract/requests.ts';
import { showValue } from '../contract/describe-issue.ts';
import type { ResolvedChannels } from '../../ml/channels/index.ts';
import { readBase64 } from './base64.ts';
import { positionProblems, readChannels } from './channels.ts';
import { tooFewTrials, tooManyClasses } from './labels.ts';
import { inFieldOrder, readFields, topLevel } from './envelope.ts';
import { baselineProblems } from './baseline.ts';
import { expiryProblems } from './expiry.ts';
import { groupingProblems } from './grouping.ts';
import { readNested } from './nested.ts';
import { entries, type Problem } from './problems.ts';
import type { Numbers, NumbersInput, Shape } from './shape.ts';
import { sizeProblems, type ResampledLength } from './signal.ts';
import { isUnit, microvoltsPer, unitsProblem, usualVariation } from './units.ts';

export type TrialRequest = 'create' | 'batch' | 'predict';
type Body = Readonly<Record<string, unknown>>;
type WithoutX<T> = Omit<T, 'x'>;
export type Envelope = WithoutX<CreateRequest> | WithoutX<BatchRequest> | WithoutX<PredictRequest>;

const schemas = { create: createRequest, batch: batchRequest, predict: predictRequest } as const;

export type TrialsRead =
  | {
      readonly ok: true;
      readonly envelope: Envelope;
      readonly microvolts: Float32Array;
      readonly shape: Shape;
      readonly channels: ResolvedChannels;
      /** Labels as sent, if the envelope contains a different Unicode form. */
      readonly sentLabels?: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface ReadOptions {
  readonly now: Date;
  readonly resampledLength: ResampledLength;
}

const lengthOf = (value: unknown): number | null => (Array.isArray(value) ? value.length : null);

/** A single number of `shape` has no fix of its own: all three must agree with `x`. */
const withoutShapeFix = (problem: Problem): Problem =>
  topLevel(problem.field) === 'shape' ? { ...problem, alternatives: undefined } : problem;

/** Reads `x` as base64 or as nested lists (spec, "Trial array x"). */
function readNumbers(input: NumbersInput): Numbers {
  const { x } = input;
  if (Array.isArray(x)) return readNested(x, input);
  if (typeof x === 'string') return readBase64(x, input);
  const message =
    x === undefined
      ? 'x is required: trials × channels × samples.'
      : `x must be nested lists or a base64 string; received ${showValue(x)}.`;
  return { shape: null, data: null, problems: [{ field: 'x', message }] };
}

/** Reads a request with trials: fields by the schema, numbers in a loop, then rules between fields. */
export function readTrials(body: Body, what: TrialRequest, { now, resampledLength }: ReadOptions): TrialsRead {
  const schema = schemas[what];
  const fields = readFields(schema, body);
  const given = Object.fromEntries(Object.keys(schema.shape).map((field) => [field, fields.valid(field)])) as Partial<
    Omit<CreateRequest, 'x'>
  >;
  const { units, channels: names, sampling_rate_hz: rateHz } = given;
  const labels = given.labels?.map((label) => label.normalize('NFC'));
  const numbers = readNumbers({
    x: body.x,
    shape: given.shape ?? null,
    scale: isUnit(units) ? microvoltsPer[units] : 1,
    channels: lengthOf(names),
    labels: lengthOf(labels),
  });
  const { shape } = numbers;
  const trials = shape?.[0] ?? lengthOf(body.x);
  const channels = readChannels(names, shape);
  const problems: Problem[] = [
    ...fields.problems
      .filter(({ field }) => !(field === 'x' && numbers.problems.length > 0))
      .map(withoutShapeFix)
      .map((problem) =>
        problem.field === 'units' ? (unitsProblem(body.units, usualVariation(numbers)) ?? problem) : problem,
      ),
    ...numbers.problems.filter(
      ({ field }) => !(field === 'shape' && fields.problems.some((problem) => topLevel(problem.field) === 'shape')),
    ),
    ...channels.problems,
    ...positionProblems(given.positions ?? null, lengthOf(names)),
    ...groupingProblems(given, trials),
    ...(shape && rateHz !== undefined ? sizeProblems(shape, rateHz, resampledLength) : []),
    ...(what === 'create' ? expiryProblems(given, now) : []),
    ...(what === 'create' && shape && rateHz !== undefined ? baselineProblems(given, shape, rateHz) : []),
  ];
  if (labels && trials !== null && labels.length !== trials) {
    problems.push({
      field: 'labels',
      message: `labels has ${entries(labels.length)} and x has ${count(trials)} trials; send one label per trial.`,
    });
  } else if (labels && what === 'create' && given.defer_fit !== true) {
    const few = tooFewTrials(labels);
    if (few) problems.push(few);
  }
  const many = labels && what !== 'predict' ? tooManyClasses(labels) : null;
  if (many) problems.push(many);
  if (problems.length > 0 || !fields.value || !shape || !numbers.data || !channels.resolved) {
    return { ok: false, problems: inFieldOrder(problems, Object.keys(schema.shape)) };
  }
  const { x: _x, ...envelope } = fields.value;
  const sent = body.labels as readonly string[] | undefined;
  const sentLabels = sent?.some((label, trial) => label !== labels?.[trial]) ? { sentLabels: sent } : {};
  return { ok: true, envelope, microvolts: numbers.data, shape, channels: channels.resolved, ...sentLabels };
}
