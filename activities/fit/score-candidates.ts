import { worthDropping, type Candidate, type FitRequest } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { settleAll } from '../../infra/drivers/settle-all.ts';
import { firstFoldInParts } from '../compute/first-fold-in-parts.ts';
import type { JobData } from '../compute/job-data.ts';
import type { Tools } from '../tools.ts';
import type { Scored } from '../types.ts';
import { createProgressLog } from './progress-log.ts';
import { failed, progressOf, running, scoreOne } from './score-one.ts';

/** How far the scoring of a job is. */
export interface Scoring {
  /** Candidates that have ended, the dropped ones too. */
  readonly ended: readonly Scored[];
  /** The first fold of all candidates is done. */
  readonly dropped: boolean;
}

export const nothingScored: Scoring = { ended: [], dropped: false };

export interface AllScored {
  /** One for each candidate, in their order. */
  readonly scores: readonly Scored[];
  /** Resolves once the progress of all candidates is written. */
  readonly logged: Promise<void>;
}

/**
 * Scores all candidates that had not ended `from` where an earlier attempt was: on the first fold, which drops those that
 * cannot catch up, then on the others, on all threads at once. If none of the others can be fitted, the dropped ones are
 * tried in turn until one can. A candidate that cannot be fitted is `failed`. One that the service could not score throws
 * after the others have ended; on the last try it is `failed` too.
 */
export async function scoreCandidates(
  tools: Tools,
  request: FitRequest,
  data: JobData,
  { from, isLastTry }: { readonly from: Scoring; readonly isLastTry: boolean },
  signal: AbortSignal,
  report: (scoring: Scoring) => void,
): Promise<AllScored> {
  const { pool, recent, log: say } = tools;
  const { jobId, candidates } = request;
  const ended = new Map(from.ended.map((each) => [each.method, each]));
  let { dropped } = from;
  const send = (): void => report({ ended: [...ended.values()], dropped });
  send();
  using progress = createProgressLog(pool, jobId);
  const end = (scored: Scored): Scored => {
    ended.set(scored.method, scored);
    progress.write(progressOf(scored));
    send();
    return scored;
  };
  for (const candidate of candidates) {
    const known = ended.get(candidate.id);
    progress.write(known ? progressOf(known) : running(candidate));
  }

  if (!dropped && candidates.length >= worthDropping) {
    const hopeless = await dropHopeless(tools, request, data, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      say?.warn('The first fold could not be scored; no candidate is dropped.', { job: jobId, error });
      return [];
    });
    for (const each of hopeless.filter(({ method }) => !ended.has(method))) end(each);
  }
  dropped = true;

  let fault: unknown = null;
  const score = async (candidate: Candidate, members: readonly Uint8Array[]): Promise<Scored | null> => {
    try {
      return end(await scoreOne(tools, { request, data, candidate, members, signal }));
    } catch (error) {
      if (signal.aborted) throw error;
      say?.warn(`${candidate.title} could not be scored.`, { job: jobId, error });
      if (isLastTry)
        return end(failed(candidate, `It could not be scored on the service side: ${(error as Error).message}`, true));
      fault ??= error;
      return null;
    }
  };
  const under = new Map<string, Promise<Scored | null>>();
  const scoreAfterMembers = async (candidate: Candidate): Promise<Scored | null> => {
    const known = ended.get(candidate.id);
    if (known) return known;
    const members = await Promise.all((candidate.members ?? []).flatMap((id) => under.get(id) ?? []));
    if (members.includes(null)) return null;
    const scored = members.filter((each) => each !== null);
    const lost = scored.find(({ ref }) => ref === null);
    if (!lost) return score(candidate, await Promise.all(scored.map(({ ref }) => recent.get(ref!))));
    const reason = `It averages ${scored.length} methods, of which ${lost.title} failed: ${lost.reason}`;
    return end(failed(candidate, reason, lost.fault));
  };
  for (const candidate of candidates) under.set(candidate.id, scoreAfterMembers(candidate));
  await settleAll([...under.values()]);

  const rest = (): Scored[] => [...ended.values()].filter(({ status }) => status !== 'dropped');
  const noneFitted = rest().every(({ status }) => status === 'failed') && !rest().every((each) => each.fault);
  if (fault === null && noneFitted)
    for (const { method } of [...ended.values()].filter(({ status }) => status === 'dropped')) {
      const again = await score(
        candidates.find(({ id }) => id === method)!,
        [],
      );
      if (again?.status !== 'failed') break;
    }
  if (fault !== null) throw fault;
  const logged = progress.end();
  logged.catch(() => undefined);
  return { scores: candidates.map(({ id }) => ended.get(id)!), logged };
}

/** The candidates that cannot catch up after their first fold, with their scores put into `recent`. */
async function dropHopeless(
  { compute, recent }: Tools,
  request: FitRequest,
  data: JobData,
  signal: AbortSignal,
): Promise<Scored[]> {
  const { jobId, candidates } = request;
  const dropped = await firstFoldInParts(compute, { jobId, data, candidates }, signal);
  return Promise.all(
    dropped.map(async ({ score, bytes }): Promise<Scored> => {
      const { method, title, reason, balancedAccuracy, seconds } = score;
      const ref = objectNames.score(request, method);
      await recent.put(ref, bytes);
      return { method, title, status: 'dropped', reason, balancedAccuracy, seconds, ref, fault: false };
    }),
  );
}
