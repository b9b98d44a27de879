import { worthDropping, type Candidate } from '../../infra/contract/fit-request.ts';
import { settleAll } from '../../infra/drivers/settle-all.ts';
import type { Tools } from '../tools.ts';
import type { Scored } from '../activities.ts';
import { dropHopeless } from './drop-hopeless.ts';
import { endedRow, runningRow } from './progress-log.ts';
import { failedCandidate, scoreCandidate } from './score-candidate.ts';
import type { ScoringJob } from './scoring-job.ts';

/** Details of the heartbeats. The next attempt continues from them, and the Temporal UI shows them. */
export interface FitProgress {
  /** Candidates that have ended, dropped ones included. */
  readonly ended: readonly Scored[];
  /** The first fold of all candidates is done. */
  readonly dropped: boolean;
}

/**
 * Scores all candidates except those that had ended `earlier`. First it scores them on the first fold and drops those
 * that can no longer become the best. Then it scores the others on all folds, on all threads. If none of those can be
 * fitted, it tries the dropped candidates one by one until one can. Returns one row per candidate, in the order of the
 * request. If the service failed to score a candidate, it throws after the others have ended. In the last attempt it
 * throws only if no candidate could be scored.
 */
export async function scoreCandidates(
  tools: Tools,
  job: ScoringJob,
  earlier: FitProgress,
  onReached: (reached: FitProgress) => void,
): Promise<readonly Scored[]> {
  const { candidates } = job.request;
  const ended = new Map(earlier.ended.map((each) => [each.method, each]));
  let { dropped } = earlier;
  const end = (scored: Scored): Scored => {
    ended.set(scored.method, scored);
    onReached({ ended: [...ended.values()], dropped });
    job.progress.add(endedRow(scored));
    return scored;
  };
  for (const candidate of candidates) {
    const known = ended.get(candidate.id);
    job.progress.add(known ? endedRow(known) : runningRow(candidate));
  }

  if (!dropped && candidates.length >= worthDropping)
    for (const each of await dropHopeless(tools, job)) if (!ended.has(each.method)) end(each);
  dropped = true;

  let fault: unknown = null;
  const score = async (candidate: Candidate, members: readonly Scored[]): Promise<Scored> => {
    try {
      return end(await scoreCandidate(tools, job, candidate, members));
    } catch (error) {
      if (job.signal.aborted || !job.isLast) throw error;
      fault = error;
      const failed = failedCandidate(candidate, `The service could not score it: ${(error as Error).message}`);
      job.progress.add(endedRow(failed));
      return failed;
    }
  };
  const running = new Map<string, Promise<Scored>>();
  const scoreAfterMembers = async (candidate: Candidate): Promise<Scored> => {
    const members = await Promise.all((candidate.members ?? []).flatMap((id) => running.get(id) ?? []));
    return ended.get(candidate.id) ?? score(candidate, members);
  };
  for (const candidate of candidates) running.set(candidate.id, scoreAfterMembers(candidate));
  const all = await settleAll([...running.values()]);

  for (const [at, { status }] of all.entries()) {
    if (status !== 'dropped' || all.some((each) => each.status === 'scored')) continue;
    all[at] = await score(candidates[at]!, []);
  }
  if (fault !== null && !all.some(({ status }) => status === 'scored')) throw fault;
  return all;
}
