import type { Candidate } from '../../infra/contract/fit-request.ts';
import { methodOf } from '../../ml/methods/index.ts';
import { setsOf } from '../../ml/methods/sets.ts';
import type { FirstFold } from '../../ml/train/index.ts';
import type { Compute } from './compute.ts';
import type { JobData } from './job-data.ts';
import type { ScoredOnFolds } from './score-tasks.ts';

export interface FirstFoldJob {
  readonly jobId: string;
  readonly data: JobData;
  readonly candidates: readonly Pick<Candidate, 'id' | 'family'>[];
}

/**
 * Scores every candidate on the first fold, each in the thread of its family, which keeps the fit for the other folds.
 * Returns the candidates that can no longer become the best. A failure drops no candidate. Families that read the most
 * numbers come first, so that the threads finish at about the same time.
 */
export async function firstFoldInParts(
  compute: Compute,
  { jobId, data, candidates }: FirstFoldJob,
  signal: AbortSignal,
): Promise<readonly ScoredOnFolds[]> {
  const scored = new Map<string, Promise<FirstFold | null>>();
  for (const { id: method, family } of largestInputFirst(candidates, data))
    scored.set(
      method,
      compute('firstFold', { jobId, data, method }, { signal, affinity: `${jobId}/${family}` }).catch(
        (error: unknown) => {
          if (signal.aborted) throw error;
          return null;
        },
      ),
    );
  const inOrder = await Promise.all(candidates.map(({ id }) => scored.get(id)!));
  const firstFolds = inOrder.filter((each) => each !== null);
  return compute('hopeless', { jobId, data, methods: candidates.map(({ id }) => id), firstFolds }, { signal });
}

/** The candidates, ordered by the number of values that their family reads of a trial, largest first. */
function largestInputFirst(
  candidates: FirstFoldJob['candidates'],
  { training: { features } }: JobData,
): FirstFoldJob['candidates'] {
  const size = (id: string): number => features.sets[id]?.length ?? 0;
  const valuesPerTrial = new Map<string, number>();
  for (const { id, family } of candidates)
    valuesPerTrial.set(family, Math.max(valuesPerTrial.get(family) ?? 0, ...setsOf(methodOf(id), features).map(size)));
  return candidates.toSorted((a, b) => valuesPerTrial.get(b.family)! - valuesPerTrial.get(a.family)!);
}
