import { decode, encode } from '../../infra/drivers/codec.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';
import { methodOf, prepareMethods } from '../../ml/methods/index.ts';
import type { Steps } from '../../ml/steps.ts';
import {
  dropHopeless,
  firstFoldInSteps,
  scoreInSteps,
  type CandidateScore,
  type FirstFold,
} from '../../ml/train/index.ts';
import { jobOf } from './job.ts';
import type { JobData } from './job-data.ts';

export interface ScoredOnFolds {
  readonly score: Omit<CandidateScore, 'outOfFold' | 'aligned'>;
  /** Encoded `CandidateScore`. */
  readonly bytes: Uint8Array;
}

/** Scores of the candidates on the first fold, without those that could not be fitted. */
export interface FirstFolds {
  readonly jobId: string;
  readonly data: JobData;
  /** Ids of all candidates, averages included. */
  readonly methods: readonly string[];
  readonly firstFolds: readonly FirstFold[];
}

/** Tasks that score the candidates of a job. */
export const scoreTasks = {
  /** Scores one candidate on the first fold; null for averages, and if it cannot be fitted. */
  async firstFold({
    jobId,
    data,
    method,
  }: {
    jobId: string;
    data: JobData;
    method: string;
  }): Promise<Steps<FirstFold | null>> {
    await prepareMethods([methodOf(method)]);
    const { training, plan, workspace } = jobOf(jobId, data);
    return firstFoldInSteps(method, training, plan, workspace);
  },

  /** The candidates that can no longer become the best after the first fold. */
  hopeless({ jobId, data, methods, firstFolds }: FirstFolds): ScoredOnFolds[] {
    const { training, plan } = jobOf(jobId, data);
    return dropHopeless(methods, firstFolds, training, plan).map((score) => ({ score, bytes: encode(score) }));
  },

  /** Scores one candidate on every fold. `members`: the encoded `CandidateScore`s of which an average consists. */
  async score({
    jobId,
    data,
    method,
    members = [],
  }: {
    jobId: string;
    data: JobData;
    method: string;
    members?: readonly Uint8Array[];
  }): Promise<Steps<ScoredOnFolds>> {
    await prepareMethods([methodOf(method)]);
    return score(method, jobOf(jobId, data), members);
  },
};

function* score(
  method: string,
  { training, plan, workspace }: ReturnType<typeof jobOf>,
  members: readonly Uint8Array[],
): Steps<ScoredOnFolds> {
  const earlier = members.map((bytes) => decode<CandidateScore>(bytes));
  const { outOfFold, aligned, ...own } = yield* scoreInSteps(method, training, plan, workspace, earlier);
  const bytes = encode({ ...own, outOfFold, aligned });
  return moving({ score: own, bytes }, [bytes.buffer as ArrayBuffer]);
}
