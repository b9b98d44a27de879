import { decode, encode } from '../../infra/drivers/codec.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';
import { hasMethodVersion, prepareMethods } from '../../ml/methods/index.ts';
import { pinsOf } from '../../ml/pins/index.ts';
import type { Steps } from '../../ml/steps.ts';
import {
  assembleModel,
  buildReport,
  chooseCandidate,
  completeCurve,
  controlsInSteps,
  curveInSteps,
  curveMethods,
  fitPartInSteps,
  growthInSteps,
  leadingOf,
  learningPoint,
  partsOf,
  patternsOf,
  poolId,
  refitParts,
  curveFractions,
  swappedWarnings,
  weigh,
  winnerOf,
  withPool,
  type CandidateScore,
  type Choice,
  type ControlScore,
  type FittedModel,
  type FittedPart,
  type FittedPatterns,
  type Growth,
  type RefitPart,
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

/** Input of the tasks that run after all candidates are scored. */
export interface ScoredJob {
  readonly jobId: string;
  readonly data: JobData;
  /** Encoded `CandidateScore`s. */
  readonly scores: readonly Uint8Array[];
}

/** The choice, and the tasks that follow from it. */
export interface Chosen {
  readonly choice: Choice;
  /** Family of the chosen method; for an average, family of the best single method. */
  readonly family: string;
  readonly parts: readonly RefitPart[];
  /**
   * Methods of the learning curve, as indices into `curveMethods`, with the fraction of the trials that each is fitted
   * on.
   */
  readonly curve: readonly { readonly method: number; readonly family: string; readonly fraction: number }[];
}

/** One `curveTable`. */
export interface CurvePiece {
  readonly fraction: number;
  readonly table: Float64Array | null;
}

export interface ReportTask extends ScoredJob {
  readonly choice: Choice;
  readonly weighed: Weighed;
  readonly curve: readonly CurvePiece[];
  readonly growth: Growth | null;
  readonly controls: readonly ControlScore[];
  readonly patterns: FittedPatterns;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

/** After all candidates are scored: the choice, its fit on all trials, its evidence. */
export const choiceTasks = {
  /** Chooses the best candidate, and plans the parts of its refit and of its learning curve. */
  choose({ jobId, data, scores }: ScoredJob): Chosen {
    const { training, plan } = jobOf(jobId, data);
    const choice = chooseCandidate(opened(scores), training, plan);
    requireInstalledMethods(choice);
    const points = curveFractions(plan);
    return {
      choice,
      family: leadingOf(choice).family,
      parts: refitParts(choice, training),
      curve: curveMethods(choice, training).flatMap(({ family }, method) =>
        points.map((fraction) => ({ method, family, fraction })),
      ),
    };
  },

  /** Refits one part of the chosen candidate on all trials. */
  async refit({ jobId, data, choice, part }: { jobId: string; data: JobData; choice: Choice; part: RefitPart }) {
    const { training, workspace } = jobOf(jobId, data);
    const { fitted } = partsOf(choice, training);
    await prepareMethods(part.methods.map((m) => fitted[m]));
    return fitPartInSteps(part, choice, training, workspace);
  },

  /**
   * Joins the fitted parts of the chosen candidate into an encoded `FittedModel`, with its method, pins and patterns.
   */
  assemble({
    jobId,
    data,
    choice,
    parts,
  }: {
    jobId: string;
    data: JobData;
    choice: Choice;
    parts: readonly FittedPart[];
  }): Refitted {
    const { training, workspace } = jobOf(jobId, data);
    const model = assembleModel(choice, parts, training);
    const bytes = encode(model);
    const patterns = patternsOf(choice, model, training, workspace);
    return moving({ bytes, method: model.method, pins: pinsOf(model), patterns }, [bytes.buffer as ArrayBuffer]);
  },

  /** Log-scores of one method of the learning curve, fitted on a fraction of the trials. */
  async curve({
    jobId,
    data,
    choice,
    method,
    fraction,
  }: {
    jobId: string;
    data: JobData;
    choice: Choice;
    method: number;
    fraction: number;
  }): Promise<Steps<CurvePiece>> {
    const { training, plan, workspace } = jobOf(jobId, data);
    const own = curveMethods(choice, training)[method];
    await prepareMethods([own]);
    return (function* () {
      return { fraction, table: yield* curveInSteps(own, fraction, training, plan, workspace) };
    })();
  },

  /** How much the chosen candidate gains from more trials than the folds train on. */
  async growth({
    jobId,
    data,
    choice,
  }: {
    jobId: string;
    data: JobData;
    choice: Choice;
  }): Promise<Steps<Growth | null>> {
    await prepareMethods([leadingOf(choice)]);
    const { training, plan, workspace } = jobOf(jobId, data);
    return growthInSteps(choice, training, plan, workspace);
  },

  /**
   * Accuracy of the controls on the folds of the candidates: eyes, muscles, line noise, and the time before the cue.
   */
  controls({ jobId, data, scores, choice }: ScoredJob & { readonly choice: Choice }): Steps<ControlScore[]> {
    const { training, plan, workspace } = jobOf(jobId, data);
    return controlsInSteps(training, plan, workspace, winnerOf(choice, opened(scores), training, plan));
  },

  /** Corrects the score for the choice among all candidates. */
  weigh({ jobId, data, scores }: ScoredJob): Weighed {
    const { training, plan } = jobOf(jobId, data);
    return weigh(opened(scores), training, plan);
  },

  /** The training report as JSON. */
  report({ jobId, data, scores, choice, curve, warnings, ...rest }: ReportTask): TrainingReport {
    const { training, plan, workspace } = jobOf(jobId, data);
    const all = opened(scores);
    const learningCurve = completeCurve(
      [...Map.groupBy(curve, ({ fraction }) => fraction)].map(([fraction, pieces]) => {
        const tables = pieces.map(({ table }) => table);
        return learningPoint(choice, fraction, { data: training, plan, workspace }, tables);
      }),
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
      warnings: [...warnings, ...(data.warnings ?? []), ...swappedWarnings(training, workspace)],
      learningCurve,
    });
  },
};

/**
 * If the service was updated during a fit, one version may have scored and another may choose. This version must have
 * every method that was scored.
 */
function requireInstalledMethods(choice: Choice): void {
  const needed = choice.method === poolId ? choice.pool! : [{ id: choice.method, version: choice.version }];
  for (const { id: method, version } of needed)
    if (!hasMethodVersion(method, version))
      throw new ApiError(
        'BACKEND_FAILURE',
        `The service changed during the fit and no longer has version ${version} of the method ${method}, ` +
          `which is the best; nothing was charged. Send the request again.`,
      );
}

const opened = (scores: readonly Uint8Array[]): CandidateScore[] =>
  scores.map((bytes) => decode<CandidateScore>(bytes));
