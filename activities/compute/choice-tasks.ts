import { decode, encode } from '../../infra/drivers/codec.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { moving } from '../../infra/drivers/threads/serve.ts';
import { holdsMethod, prepareMethods } from '../../ml/methods/index.ts';
import { pinsOf } from '../../ml/pins/index.ts';
import {
  buildReport,
  chooseCandidate,
  completeCurve,
  fitWinner,
  leadingOf,
  learningPoint,
  measureGrowth,
  partsOf,
  patternsOf,
  poolId,
  scoreControls,
  sharesOf,
  weigh,
  withPool,
  type CandidateScore,
  type Choice,
  type ControlScore,
  type FittedModel,
  type FittedPatterns,
  type Growth,
  type LearningPoint,
  type Skipped,
  type TrainingReport,
  type Weighed,
} from '../../ml/train/index.ts';
import { jobOf } from './job.ts';
import type { JobData } from './job-data.ts';

/** A method refitted on all trials. */
export interface Refitted {
  /** Encoded `FittedModel`. */
  readonly bytes: Uint8Array;
  readonly method: FittedModel['method'];
  readonly pins: readonly string[];
  readonly patterns: FittedPatterns;
}

/** What is read once all candidates are scored. */
export interface ScoredJob {
  readonly jobId: string;
  readonly data: JobData;
  /** Encoded `CandidateScore`s. */
  readonly scores: readonly Uint8Array[];
}

export interface ReportTask extends ScoredJob {
  readonly choice: Choice;
  readonly weighed: Weighed;
  readonly points: readonly (LearningPoint | null)[];
  readonly growth: Growth | null;
  readonly controls: readonly ControlScore[];
  readonly patterns: FittedPatterns;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

/** What is done once all candidates are scored: the choice, its fit on all trials, its evidence. */
export const choiceTasks = {
  /** The best candidate, the family it is of, and the shares at which its learning curve is measured. */
  choose({ jobId, data, scores }: ScoredJob): { choice: Choice; family: string; shares: readonly number[] } {
    const { training, plan } = jobOf(jobId, data);
    const choice = chooseCandidate(opened(scores), training, plan);
    requireHeld(choice);
    return { choice, family: leadingOf(choice).family, shares: sharesOf(plan) };
  },

  /** The chosen candidate refitted on all trials: an encoded `FittedModel`, its method and its pins. */
  async refit({ jobId, data, choice }: { jobId: string; data: JobData; choice: Choice }): Promise<Refitted> {
    const { training, workspace } = jobOf(jobId, data);
    await prepareMethods(partsOf(choice, training).fitted);
    const model = fitWinner(choice, training, workspace);
    const bytes = encode(model);
    const patterns = patternsOf(choice, model, training, workspace);
    return moving({ bytes, method: model.method, pins: pinsOf(model), patterns }, [bytes.buffer as ArrayBuffer]);
  },

  /** What the chosen candidate reaches with a share of the trials. */
  async curve({
    jobId,
    data,
    choice,
    share,
  }: {
    jobId: string;
    data: JobData;
    choice: Choice;
    share: number;
  }): Promise<LearningPoint | null> {
    await prepareMethods([leadingOf(choice)]);
    const { training, plan, workspace } = jobOf(jobId, data);
    return learningPoint(choice, share, training, plan, workspace);
  },

  /** What more trials than the folds train on bring the chosen candidate. */
  async growth({ jobId, data, choice }: { jobId: string; data: JobData; choice: Choice }): Promise<Growth | null> {
    await prepareMethods([leadingOf(choice)]);
    const { training, plan, workspace } = jobOf(jobId, data);
    return measureGrowth(choice, training, plan, workspace);
  },

  /** What eyes, muscles and the time before the cue reach on the folds of the candidates. */
  controls({ jobId, data }: { jobId: string; data: JobData }): ControlScore[] {
    const { training, plan, workspace } = jobOf(jobId, data);
    return scoreControls(training, plan, workspace);
  },

  /** What the choice among all candidates is worth. */
  weigh({ jobId, data, scores }: ScoredJob): Weighed {
    const { training, plan } = jobOf(jobId, data);
    return weigh(opened(scores), training, plan);
  },

  /** The training report as JSON. */
  report({ jobId, data, scores, choice, points, warnings, ...rest }: ReportTask): TrainingReport {
    const { training, plan } = jobOf(jobId, data);
    const all = opened(scores);
    const learningCurve = completeCurve(
      points,
      all.find(({ method }) => method === leadingOf(choice).id)!,
      training,
      plan,
    );
    return buildReport({
      ...rest,
      scores: withPool(all, choice, training, plan),
      choice,
      data: training,
      plan,
      warnings: [...warnings, ...(data.warnings ?? [])],
      learningCurve,
    });
  },
};

/** A service that changes during a fit may score with one version and choose with another, which must hold both. */
function requireHeld(choice: Choice): void {
  const needed = choice.method === poolId ? choice.pool! : [{ id: choice.method, version: choice.version }];
  for (const { id: method, version } of needed)
    if (!holdsMethod(method, version))
      throw new ApiError(
        'BACKEND_FAILURE',
        `The service changed during the fit and no longer holds version ${version} of the method ${method}, ` +
          `which is the best; nothing was charged. Send the request again.`,
      );
}

const opened = (scores: readonly Uint8Array[]): CandidateScore[] =>
  scores.map((bytes) => decode<CandidateScore>(bytes));
