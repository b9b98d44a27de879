import type { Candidate } from '../../infra/contract/fit-request.ts';
import type { Compute } from './compute.ts';
import type { JobData } from './job-data.ts';
import type { ScoredOnFolds } from './score-tasks.ts';

export interface FirstFoldJob {
  readonly jobId: string;
  readonly data: JobData;
  readonly candidates: readonly Pick<Candidate, 'id' | 'family'>[];
}

/**
 * Every candidate on the first fold, each in the thread of its family, which keeps the fit for the other folds → those
 * that cannot catch up. What could not be computed drops nothing.
 */
export async function firstFoldInParts(
  compute: Compute,
  { jobId, data, candidates }: FirstFoldJob,
  signal: AbortSignal,
): Promise<readonly ScoredOnFolds[]> {
  const scored = await Promise.all(
    candidates.map(({ id: method, family }) =>
      compute('firstFold', { jobId, data, method }, { signal, affinity: `${jobId}/${family}` }).catch(
        (error: unknown) => {
          if (signal.aborted) throw error;
          return null;
        },
      ),
    ),
  );
  const firstFolds = scored.filter((each) => each !== null);
  return compute('hopeless', { jobId, data, methods: candidates.map(({ id }) => id), firstFolds }, { signal });
}
