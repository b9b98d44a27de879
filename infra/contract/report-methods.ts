import { z } from 'zod';

/** A method and its version. */
export const methodRef = z.object({ id: z.string(), version: z.string(), title: z.string() });

/** Between 0 and 1; chance is one divided by the number of classes. */
export const accuracy = z.number().min(0).max(1);
/** Null if the data do not allow an estimate. */
export const measured = z.number().nullable();
export const interval = z
  .array(measured)
  .length(2)
  .meta({ description: '95 % interval: [lower, upper]; null if the data do not allow one.' });
const prior = z
  .object({
    log_loss_behind: measured.meta({
      description: 'Mean log-loss above that of the candidate with the best prior, nats.',
    }),
    sd: measured.meta({ description: 'Standard deviation for one person, nats.' }),
    people: z.int().meta({ description: 'People on whom it was measured; 0: published results of the method.' }),
  })
  .meta({
    description:
      'What is known of the method before any trial of this request, from other people with about as many trials and ' +
      'channels. It decides only between methods that the trials cannot tell apart; `balanced_accuracy` and `log_loss` ' +
      'are of held-out trials alone. Absent as `expected_log_loss_behind`.',
  });
const tried = z.object({
  ...methodRef.shape,
  status: z.literal('scored'),
  seconds: z.number(),
  balanced_accuracy: accuracy,
  interval_95: interval,
  fold_scores: z.array(measured),
  fold_spread: measured.meta({ description: 'Standard deviation of the scores of the folds.' }),
  log_loss: measured,
  prior: prior.optional(),
  expected_log_loss_behind: measured.optional().meta({
    description:
      'Expected log-loss above that of the chosen method, or of the best member of the chosen pool. The difference ' +
      'in the trials and that of the priors are weighted by the inverse of their variances. `null`: the trials ' +
      'show that the method is worse, so its prior does not count. Absent for the pool and in reports of models ' +
      'fitted before priors were measured.',
  }),
  temperature: measured,
  balanced_accuracy_aligned: measured.optional().meta({ description: 'The score with `align: "batch"`.' }),
  reason: z.null(),
});
const failed = z.object({
  ...methodRef.shape,
  status: z.literal('failed'),
  seconds: z.number(),
  reason: z.string().nullable(),
});
const dropped = z.object({
  ...methodRef.shape,
  status: z.literal('dropped'),
  seconds: z.number(),
  balanced_accuracy: measured.meta({ description: 'Of the first fold, as `log_loss`.' }),
  log_loss: measured,
  reason: z.string().meta({ description: 'How far it lay behind on the first fold, and the bound.' }),
});
const skipped = z.object({
  id: z.string(),
  title: z.string(),
  status: z.literal('skipped'),
  reason: z.string().meta({ description: 'What the method needs that the data does not have.' }),
});

/** Every method of the registry, scored or not. */
export const methodRows = z.array(z.discriminatedUnion('status', [tried, failed, dropped, skipped]));
