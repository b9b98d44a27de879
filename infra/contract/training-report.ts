import { z } from 'zod';
import { accuracy, interval, measured, methodRef, methodRows } from './report-methods.ts';

export { methodRef } from './report-methods.ts';

const perClass = <T extends z.ZodType>(value: T) => z.record(z.string(), value);

const balancedAccuracy = accuracy.meta({
  description: 'Validation score of the winning method: mean recall over the classes, on held-out trials.',
});
const chance = accuracy.meta({ description: 'Score of guessing: one divided by the number of classes.' });

const corrected = z
  .object({
    balanced_accuracy: measured,
    interval_95: interval,
    resamples: z.int().meta({ description: 'Bootstrap samples drawn.' }),
    resampled: z.enum(['sessions', 'trials']).meta({
      description: 'What was drawn: whole sessions, or trials (those that overlap, or of one block, together).',
    }),
    nested: z.boolean().meta({ description: 'Whether the choice never saw the fold that it is scored on.' }),
    trials_per_class: z
      .int()
      .optional()
      .meta({
        description:
          'Training trials per class, on average, of the models that the score is about. Absent, like `measured`, in ' +
          'older reports.',
      }),
    measured: z
      .object({ balanced_accuracy: measured, trials_per_class: z.int() })
      .nullable()
      .optional()
      .meta({ description: 'The score of models with fewer trials, if it was extrapolated to all trials; else null.' }),
    explanation: z.string(),
  })
  .nullable()
  .meta({
    description:
      'The score without the luck of choosing the best of many methods. Null if no folds can separate the classes from ' +
      'drift (a class in one block, sessions of one class each); `warnings` then says why.',
  });

const averaged = z.array(z.object({ ...methodRef.shape, temperature: z.number() })).meta({
  description: 'Members of an average, each with the temperature that divides its scores before averaging.',
});

const calibrationBin = z.object({
  lowest_probability: accuracy,
  mean_probability: accuracy,
  highest_probability: accuracy,
  accuracy: accuracy.meta({ description: 'Share of these trials that were predicted rightly, classes alike.' }),
  trials: z.number().meta({ description: 'Mean over the repeats; all bins together hold every trial.' }),
  weight: accuracy.meta({ description: 'What the bin weighs in `calibration_error`; all bins together 1.' }),
});

const control = z.object({
  id: z.enum(['eyes', 'muscles', 'mains', 'baseline']),
  title: z.string(),
  balanced_accuracy: measured,
  interval_95: interval.nullable(),
  p_value: measured.meta({ description: 'How likely labels without any meaning reach this; null: not known.' }),
  without: z
    .object({ balanced_accuracy: z.number(), interval_95: interval })
    .nullable()
    .optional()
    .meta({
      description:
        'What the chosen method still reaches without everything that this part of the signal predicts of its ' +
        'scores. Null if it was not measured. Absent in reports of models fitted earlier.',
    }),
  status: z.enum(['scored', 'failed', 'not_measured']),
  reason: z.string().nullable().meta({ description: 'Why it was not measured; null if it was.' }),
});

const patterns = z.object({
  method: methodRef.meta({ description: 'Whose they are: the chosen method, or the best single one of a pool.' }),
  source: z.string(),
  unit: z.string().meta({ description: 'Unit of the channel values; pattern values are relative.' }),
  channels: z.array(z.string()),
  components: z.array(
    z.object({
      name: z.string().meta({ description: 'A frequency band, a window in time, or a spatial filter.' }),
      class: z.string().nullable().meta({ description: 'The class whose score rises with it; null for a filter.' }),
      class_weights: perClass(z.number())
        .nullable()
        .meta({ description: 'What each class weighs the log-variance behind a spatial filter; null for others.' }),
      values: z
        .array(z.number())
        .meta({ description: 'One per channel; the largest of a filter, or of a class over all its parts, is ±1.' }),
    }),
  ),
});

const reference = z
  .object({
    people: z.int().meta({
      description: 'People whose recordings it was fitted on. It was measured on each of them, left out in turn.',
    }),
    lower_bound_95: accuracy.meta({ description: 'One-sided 95 % bound over people.' }),
    one_person_95: z
      .array(accuracy)
      .length(2)
      .meta({ description: 'In which 95 % of single people to come are expected.' }),
    quartiles: z.array(accuracy).length(3).meta({ description: 'Of the scores of the people.' }),
    balanced_accuracy_unaligned: accuracy.meta({ description: 'The score with `align: "none"`.' }),
    log_loss_unaligned: measured.optional().meta({
      description:
        'With `align: "none"`, as the next two; those of the report are with `align: "batch"`. Absent in reports of ' +
        'models fitted before it was measured.',
    }),
    calibration_error_unaligned: measured.optional(),
    temperature_unaligned: measured.optional(),
    electrodes: z.array(z.string()).meta({ description: 'Channels that are read.' }),
    channels_not_read: z.array(z.string()).meta({ description: 'Channels that the recordings do not have.' }),
    seconds: z.number().meta({ description: 'Length in which the recordings were read.' }),
    notes: z.array(z.string()).meta({ description: 'What was approximated.' }),
  })
  .meta({
    description:
      'Of a zero-shot model: the evidence over people. `balanced_accuracy` is the mean over people with ' +
      '`align: "batch"`, `interval_95` an interval over people.',
  });

/** Report fields in an item of a list. */
export const reportSummary = z
  .object({ balanced_accuracy: balancedAccuracy, chance, corrected })
  .meta({ id: 'TrainingReportSummary', description: 'The scores of the training report; GET of one model has all.' });

/** The evidence of a fit, as `ml/train/report.ts` writes it. Scores are rounded to four decimals. */
export const trainingReport = z
  .object({
    balanced_accuracy: balancedAccuracy,
    chance,
    corrected,
    interval_95: interval,
    p_value: measured.meta({ description: 'How likely labels without any meaning reach the score; null: not known.' }),
    permutations: z.int().meta({ description: 'Permutations of the labels behind `p_value`.' }),
    method: z.string().meta({ description: 'Id of the winning method.' }),
    method_version: z.string(),
    method_title: z.string(),
    choice: z.string().meta({ description: 'Why this method was chosen, in words.' }),
    averaged: averaged.optional(),
    pool: z
      .array(
        z.object({ ...methodRef.shape, weight: z.number(), temperature: z.number(), averaged: averaged.optional() }),
      )
      .nullable()
      .optional()
      .meta({
        description:
          'Members of the pool, which is a candidate too (`pool` among `methods`): the best single method and the ' +
          'five of least log-loss, whose calibrated probabilities are averaged by weight. Null with one method only.',
      }),
    balanced_accuracy_aligned: measured.optional().meta({ description: 'The score with `align: "batch"`.' }),
    validation: z.object({
      kind: z.enum(['sessions', 'stratified', 'within_sessions', 'blocks', 'people']).meta({
        description:
          'What was held out. `sessions`: whole sessions. `stratified`: trials of each class. `within_sessions`: trials ' +
          'of each class within each session. `blocks`: whole blocks of labels. `people`: groups of people (zero-shot).',
      }),
      description: z.string(),
      folds: z.int(),
      repeats: z.int(),
      held_out_sessions: z.array(z.array(z.string())).meta({ description: 'Sessions kept out together, per fold.' }),
    }),
    trials: z.int().meta({ description: 'Trials that the fit read.' }),
    trials_sent: z.int().optional().meta({
      description:
        'Number of trials with a signal that were sent, if the fit read a stratified sample of them; else absent.',
    }),
    trials_per_class: perClass(z.int()),
    confusion_matrix: z.object({
      labels: z.array(z.string()),
      counts: z
        .array(z.array(z.number()))
        .meta({ description: 'Row: the label sent; column: the label predicted; means over the repeats.' }),
    }),
    recall: perClass(measured).meta({ description: 'Share of the trials of each class that were predicted so.' }),
    log_loss: measured,
    calibration_error: measured.meta({ description: 'How far probabilities are from how often they are right.' }),
    calibration_bins: z
      .array(calibrationBin)
      .optional()
      .meta({
        description:
          'A reliability diagram: held-out trials by rising probability of the predicted class, and how often that ' +
          'was right. Absent in reports of models fitted before it was measured.',
      }),
    priors: z
      .object({
        kind: z.enum(['balanced', 'as_sent']),
        classes: perClass(z.number()).meta({ description: 'How likely each class is taken to be beforehand.' }),
        sent: perClass(z.number()).meta({ description: 'Share of each class in all trials sent.' }),
        accuracy: measured.meta({ description: 'Fraction of the held-out trials with the correct label.' }),
        balanced_accuracy: measured.meta({ description: 'The same, balanced over the classes.' }),
        explanation: z.string(),
      })
      .optional()
      .meta({ description: 'What the probabilities rest on before a trial is looked at.' }),
    temperature: measured.meta({ description: 'What scores are divided by before they become probabilities.' }),
    learning_curve: z
      .array(z.object({ trials_per_class: z.number(), balanced_accuracy: measured }))
      .meta({ description: 'Score of the winning method, or of the best one of a pool, on part of the trials.' }),
    forecast: z
      .object({
        balanced_accuracy_with_twice_the_trials: measured,
        interval_95_with_twice_the_trials: interval.optional(),
        more_trials_per_class: z
          .number()
          .nullable()
          .meta({ description: 'More trials per class that are expected to add `gain`; null: none are.' }),
        interval_95_more_trials_per_class: interval.optional(),
        gain: z.number(),
        text: z.string(),
      })
      .nullable()
      .meta({
        description:
          'The expected gain from more trials. Null if the curve does not show it, or if the score could be ' +
          'chance. Reports of models fitted earlier have no intervals.',
      }),
    controls: z
      .array(control)
      .optional()
      .meta({
        description:
          'What could be read without the brain: eyes, muscles, line noise, the time before the cue, on the same folds. ' +
          'All but line noise are read as covariances if the chosen method reads covariances. `without` is the score of the ' +
          'chosen method without this part. `warnings` says where that explains the score. Absent in reports of models fitted earlier.',
      }),
    patterns: patterns
      .nullable()
      .optional()
      .meta({
        description:
          'Activation patterns over the channels (Haufe et al. 2014) of the winner, or of the best method of a pool, ' +
          'fitted on all trials. Null if the method is not linear in channel space; `patterns_reason` then says why.',
      }),
    patterns_reason: z.string().nullable().optional(),
    methods: methodRows.meta({
      description: 'Every method: its score, or why it failed, was dropped after the first fold, or was not tried.',
    }),
    reference: reference.optional(),
    network: z
      .object({ id: z.string(), card: z.string().meta({ description: 'Path of its model card in this service.' }) })
      .optional()
      .meta({ description: 'The network of other people that was tried or that answers; absent: none.' }),
    warnings: z.array(z.string()).meta({
      description:
        'Sentences on the data and on the scores: trials that overlap, are sent twice or flat, labels in blocks, ' +
        'offsets, what eyes or muscles explain.',
    }),
  })
  .meta({
    id: 'TrainingReport',
    description: 'Evidence measured on held-out trials of the caller; present once fitted.',
  });
