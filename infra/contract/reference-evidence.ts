import { z } from 'zod';

/** Parts of responses about reference recordings: openly licensed recordings of other people. */

const fraction = z.number().min(0).max(1);
const counted = z.int().min(0);

const dataSet = z.object({
  id: z.string(),
  version: z.string(),
  name: z.string(),
  licence: z.object({ name: z.string(), url: z.string() }),
  citations: z.array(z.string()).meta({ description: 'What to cite when results of the model are published.' }),
  home: z.string(),
});

/** A class of the caller, and the classes of the recordings that correspond to it. */
const referenceClass = z.object({
  data_set: z.string(),
  version: z.string(),
  task: z.string(),
  class: z.string(),
});

export const referenceClasses = z.record(z.string(), referenceClass).meta({
  description:
    'The class of the reference recordings for each class of the model. Send it back unchanged in the create.',
});

export const explanation = z
  .record(z.string(), z.string())
  .meta({ description: 'For each class what the participant does in the reference recordings. Review it.' });

const toGet = z.object({ done: counted, total: counted });

export const preparation = z
  .object({
    status: z.enum(['queued', 'running', 'failed', 'required']).meta({
      description:
        '`failed`: the same request tries again where `retryable`; `required`: an operator of the service must act.',
    }),
    retryable: z.boolean(),
    estimated_seconds: z
      .number()
      .min(0)
      .meta({ description: 'Until it is ready; 0 if it will not become ready by itself.' }),
    reason: z.string().nullable().meta({ description: 'Why it failed, or what is required.' }),
    progress: z
      .object({ people: toGet, files: toGet, bytes: toGet })
      .nullable()
      .meta({ description: 'Recordings prepared and held so far; null before anything is known.' }),
  })
  .meta({ id: 'Preparation', description: 'How far the reference recordings are prepared.' });

export const referenceEvidence = z
  .object({
    kind: z.literal('leave_people_out'),
    people: counted.meta({ description: 'People who were left out in turn; every score is of people not fitted on.' }),
    trials: counted,
    balanced_accuracy: fraction.meta({ description: 'Mean over people, each recentred as with `align: "batch"`.' }),
    interval_95: z.array(z.number()).length(2).meta({ description: 'Of the mean over people.' }),
    one_person_95: z
      .array(fraction)
      .length(2)
      .meta({ description: 'In which 95 % of single people to come are expected.' }),
    lower_bound_95: z.number().meta({ description: 'One-sided 95 % bound over people; it lies above `chance`.' }),
    chance: fraction,
    quartiles: z.array(fraction).length(3).meta({ description: 'How people differ: quartiles of their own scores.' }),
    balanced_accuracy_unaligned: fraction.meta({ description: 'The same without recentring: `align: "none"`.' }),
    electrodes_read: z.array(z.string()),
    electrodes_not_read: z.array(z.string()).meta({ description: 'Channels of yours that are not read.' }),
    trial_seconds: z.number().meta({ description: 'Length of the trials that the evidence is of.' }),
    network: z
      .object({
        id: z.string(),
        montage: z.string(),
        electrodes: z.array(z.string()),
        card: z.string().meta({ description: 'Path of its model card in this service.' }),
      })
      .nullable()
      .meta({
        description:
          'The network that answers without preparation, and the montage of its card that it reads: of those whose ' +
          'electrodes are all among yours the one with the best score. Null where a fit on the recordings answers.',
      }),
    data_set: dataSet,
    people_missing: counted.meta({ description: 'People of the data set whose recordings the service does not have.' }),
    people_unpublished: counted.meta({ description: 'People among `people` who are none of the published data set.' }),
    notes: z.array(z.string()).meta({ description: 'What was approximated.' }),
  })
  .meta({ id: 'ReferenceEvidence', description: 'The score on people who were left out of the fit.' });

/** Contribution of other people's recordings to labelled trials. */
export const prior = z
  .object({
    status: z.enum(['unmatched', 'ambiguous', 'queued', 'running', 'failed', 'required', 'ready', 'unusable']).meta({
      description:
        '`ready`: candidates that learn from the recordings are tried. Otherwise a create does not use them and never ' +
        'waits; this estimate has started the preparation if one is due.',
    }),
    explanation: z.string(),
    reference_classes: referenceClasses.nullable(),
    preparation: preparation.nullable(),
    evidence: referenceEvidence.nullable(),
  })
  .meta({ id: 'Prior', description: 'Whether the fit also learns from recordings of other people in the same task.' });

/** A response body, immutable. */
export type Answered<T> = T extends object ? { readonly [K in keyof T]: Answered<T[K]> } : T;

export type PreparationAnswer = Answered<z.infer<typeof preparation>>;
export type ReferenceEvidenceAnswer = Answered<z.infer<typeof referenceEvidence>>;
export type ReferenceClasses = Readonly<Record<string, Answered<z.infer<typeof referenceClass>>>>;
export type PriorAnswer = Answered<z.infer<typeof prior>>;
