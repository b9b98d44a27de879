import { z } from 'zod';
import { limits } from '../../infra/contract/limits.ts';
import { modelIdPattern } from '../../infra/contract/model-id.ts';
import { briefList, quoted } from '../../infra/contract/quote.ts';
import {
  channels,
  description,
  expiry,
  isoInstant,
  label,
  name,
  optional,
  optionalFields,
  samplingRateHz,
  text,
} from './request-fields.ts';

/**
 * Request bodies (spec, "Create request", "Prediction request", "Zero-shot request"). Strict: the error names an
 * unknown field. `x` is not validated here, because the intake thread reads it in a loop. Messages and fixes:
 * `read-envelope.ts`.
 */

const perTrial = <T extends z.ZodType>(item: T) => z.array(item).max(limits.windowsPerRequest);
const trialNames = perTrial(text(limits.labelCharacters).nullable()).nullable().optional();

const dimension = z.int().min(1).max(limits.numbersPerRequest);
const signal = {
  x: z
    .unknown()
    .refine((value) => value !== undefined, { error: 'Required.' })
    .meta({
      description:
        'Trials × channels × samples: nested lists of finite numbers, or base64 of little-endian float32 with `shape`.',
      oneOf: [
        {
          type: 'array',
          minItems: 1,
          items: { type: 'array', minItems: 1, items: { type: 'array', minItems: 1, items: { type: 'number' } } },
        },
        { type: 'string', contentEncoding: 'base64', minLength: 4 },
      ],
    }),
  shape: z
    .tuple([dimension, dimension, dimension])
    .nullable()
    .default(null)
    .meta({ description: '[trials, channels, samples]; required when `x` is base64.' }),
  sampling_rate_hz: samplingRateHz,
  units: z
    .enum(['uV', 'mV', 'V', 'unitless', 'normalized', 'unknown'])
    .meta({ description: 'The unit `x` is really in: uV, mV or V. The other values are refused with UNITS_REQUIRED.' }),
  channels,
  positions: z
    .array(z.tuple([z.number(), z.number(), z.number()]))
    .min(1)
    .max(limits.channelsPerRequest)
    .nullable()
    .default(null)
    .meta({
      description:
        'Electrode positions in metres, one [x, y, z] per channel; they replace the template positions. A ' +
        'prediction without them uses those of the fit.',
    }),
  position_frame: optional(z.enum(['head', 'mni']), 'head').meta({ description: 'Coordinate frame of `positions`.' }),
  normalization_context: z
    .strictObject({ dataset_id: trialNames, subject_uid: trialNames, session_id: trialNames })
    .nullable()
    .default(null)
    .meta({
      description:
        'Grouping of trials, one entry per trial, for normalisation per recording: recentring in the fit, ' +
        'and with `align` batch; without it, sessions group them.',
    }),
  parameters: optionalFields(z.strictObject({})).meta({
    description: 'Takes none here: `{}`. Those of a model go with its create.',
  }),
  session: text(limits.labelCharacters)
    .nullable()
    .default(null)
    .meta({ description: 'Names the session of all trials of this request.' }),
  stride_seconds: z
    .number()
    .positive()
    .max(3_600)
    .nullable()
    .default(null)
    .meta({
      description:
        "Step between windows where a trial is longer than a method's window; default: no overlap. Methods " +
        'that read 4 s at a time average such windows, at least 0.5 s apart.',
    }),
  missing_channels: optional(z.enum(['nearest', 'reject']), 'nearest').meta({
    description:
      'What a fixed 19-site method does with a missing site: nearest electrode within ' +
      `${limits.nearestSiteMillimetres} mm, or not tried. ` +
      'In a prediction, reject refuses a model of 19 sites that was fitted without one.',
  }),
};

const createParameters = optionalFields(
  z.strictObject({
    priors: z
      .enum(['balanced', 'as_sent'])
      .nullable()
      .optional()
      .meta({
        description:
          'How likely the classes are beforehand in what the model answers: all alike (the default), or as often as ' +
          'among the trials of the fit. Scores, the choice and the p-value are of balanced classes with either.',
      }),
    baseline_seconds: z
      .number()
      .min(limits.baselineSeconds.min)
      .max(limits.baselineSeconds.max)
      .nullable()
      .optional()
      .meta({
        description:
          'How long each trial lasts before its cue, which is less than the whole trial; null or absent: not known. ' +
          'What this part alone tells of the class is then reported under `controls`: it should be nothing.',
        examples: [0.5],
      }),
  }),
).meta({
  description:
    'What the answers rest on and what the trials are, for the fit. A deferred fit takes them from the create too, ' +
    'not from batches or /fit.',
});

const labelled = {
  labels: perTrial(label).min(1).meta({ description: 'One label per trial, in the order of `x`.' }),
  sessions: perTrial(label)
    .min(1)
    .nullable()
    .default(null)
    .meta({ description: 'One session name per trial; whole sessions are then held out.' }),
};

export const createRequest = z
  .strictObject({
    ...signal,
    ...labelled,
    parameters: createParameters,
    description,
    name,
    ...expiry,
    defer_fit: optional(z.boolean(), false).meta({
      description: 'Collect trials over several requests and fit later.',
    }),
    dry_run: optional(z.boolean(), false).meta({ description: 'Estimate only: nothing is fitted or charged.' }),
  })
  .meta({ id: 'CreateRequest' });

export const batchRequest = z.strictObject({ ...signal, ...labelled }).meta({ id: 'BatchRequest' });

export const predictRequest = z
  .strictObject({
    ...signal,
    align: optional(z.enum(['none', 'batch']), 'none').meta({
      description:
        '`none`: each trial alone. `batch`: the trials sent, or those of each recording, are recentred together ' +
        'first, and epochs of sleep are read with their neighbours, in the order sent.',
    }),
  })
  .meta({ id: 'PredictRequest' });

const repeatedOf = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) !== at)),
];

/** Characters of `reference_classes` as JSON: 64 classes and their reference classes. */
const mappingCharacters = 65_536;

export const zeroShotRequest = z
  .strictObject({
    mode: z.literal('zero_shot'),
    description,
    classes: z
      .array(label)
      .min(limits.zeroShotClasses.min)
      .max(limits.zeroShotClasses.max)
      .check(({ value, issues }) => {
        const twice = repeatedOf(value);
        if (twice.length > 0)
          issues.push({
            code: 'custom',
            message: `names ${briefList(twice.map((name) => quoted(name, 60)))} more than once; name each class once.`,
            params: { distinct: true },
            input: value,
          });
      })
      .nullable()
      .default(null)
      .meta({
        description: 'Your names of the classes; without them those that the description names are returned.',
        examples: [['left fist imagined', 'right fist imagined']],
      }),
    channels,
    sampling_rate_hz: samplingRateHz,
    trial_seconds: z
      .number()
      .positive()
      .max(3_600)
      .meta({
        description:
          'Length of the trials that predictions will send, from the cue on. A task bounds it: the refusal names one that ' +
          'it takes.',
      }),
    dry_run: optional(z.boolean(), false).meta({
      description: 'Estimate only: starts preparing, and shows evidence and mapping once it is ready.',
    }),
    reference_classes: z
      .record(z.string(), z.unknown())
      .check(({ value, issues }) => {
        const size = JSON.stringify(value).length;
        if (size > mappingCharacters)
          issues.push({
            code: 'custom',
            message: `has ${size} characters as JSON; at most ${mappingCharacters} are allowed.`,
            input: value,
          });
      })
      .nullable()
      .default(null)
      .meta({
        description:
          'The mapping the estimate returned, unchanged; in an estimate one of `alternatives`, if the words had several meanings.',
      }),
    name,
    ...expiry,
  })
  .meta({ id: 'ZeroShotRequest' });

/** Body of /fit, which may be missing. */
export const fitRequest = z
  .strictObject({
    ignore_classes: z
      .array(label)
      .max(limits.classesPerModel)
      .nullable()
      .default(null)
      .meta({
        description:
          'Classes that the fit leaves out, with all their trials, such as a mistyped label. Default: none. A later fit ' +
          'of the same model may leave out others.',
        examples: [['lefft']],
      }),
  })
  .meta({ id: 'FitRequest' });

/** Absent fields stay unchanged; null removes the value. */
export const patchRequest = z
  .strictObject({
    expires_at: isoInstant.nullable().optional(),
    name: text(limits.nameCharacters).nullable().optional(),
  })
  .meta({ id: 'PatchRequest' });

/** Query of GET /v1/task-models; values arrive as strings. */
export const listQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^-?\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(limits.listPageSize.min).max(limits.listPageSize.max))
    .default(limits.listPageSize.default),
  before: z.string().regex(modelIdPattern).nullable().default(null),
});

export type CreateRequest = z.output<typeof createRequest>;
export type BatchRequest = z.output<typeof batchRequest>;
export type PredictRequest = z.output<typeof predictRequest>;
export type ZeroShotRequest = z.output<typeof zeroShotRequest>;
export type FitBody = z.output<typeof fitRequest>;
export type PatchRequest = z.output<typeof patchRequest>;
