import type { z } from 'zod';
import type { TaskModelRecord } from './task-model.ts';
import type { trainingReport } from './training-report.ts';

type Report = z.output<typeof trainingReport>;

/** The fields of a report that a share link shows. A new field is shown only after it is added here. */
const shownFields = [
  'balanced_accuracy',
  'chance',
  'corrected',
  'interval_95',
  'p_value',
  'permutations',
  'method',
  'method_version',
  'method_title',
  'choice',
  'averaged',
  'pool',
  'balanced_accuracy_aligned',
  'trials',
  'trials_sent',
  'trials_per_class',
  'confusion_matrix',
  'recall',
  'log_loss',
  'calibration_error',
  'calibration_bins',
  'priors',
  'temperature',
  'learning_curve',
  'forecast',
  'controls',
  'patterns',
  'patterns_reason',
  'methods',
  'reference',
  'network',
] as const satisfies readonly (keyof Report)[];

/**
 * Lists of session names in the sentences of `ml/evidence/folds.ts`. The account pages use file names as session names.
 * The end of each list is found by the words after it, because a name may contain a bracket.
 */
const listOfSessions =
  /(\d+ of \d+ sessions hold (?:fewer than \d+ trials|one class only)) \(.*?\)(?=: they are held out| and are held out|, so whole sessions)/gs;

/** A sentence about sessions without their names. */
const withoutSessions = (sentence: string, files: ReadonlySet<string>): string =>
  [...files]
    .sort((a, b) => b.length - a.length)
    .reduce((text, file) => text.replaceAll(file, 'a file'), sentence.replaceAll(listOfSessions, '$1'));

const isFileName = (session: string): boolean => /.\.(?=\w*[a-z])\w{2,5}$/i.test(session);

/**
 * What a share link shows of a model: the task and the report. Left out: account, model id and name, keys, cost, and
 * the names of sessions, which are file names if the model was created on the account pages.
 */
export function sharedReport(model: TaskModelRecord, report: Report) {
  const { validation, warnings } = report;
  const files = new Set(validation.held_out_sessions.flat().filter(isFileName));
  return {
    description: model.description,
    classes: model.classes,
    channels: model.channels.length,
    sampling_rate_hz: model.signal.sampling_rate_hz,
    seconds_per_trial: model.signal.seconds_per_trial,
    fitted: (model.fittedAt ?? model.createdAt).toISOString(),
    training_report: {
      ...(Object.fromEntries(
        shownFields.flatMap((name) => (report[name] === undefined ? [] : [[name, report[name]]])),
      ) as Pick<Report, (typeof shownFields)[number]>),
      validation: {
        ...validation,
        description: withoutSessions(validation.description, files),
        held_out_sessions: [],
      },
      warnings: warnings.map((each) => withoutSessions(each, files)),
    },
  };
}

export type SharedReport = ReturnType<typeof sharedReport>;
