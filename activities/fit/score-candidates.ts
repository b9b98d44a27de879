import { worthDropping, type Candidate, type FitRequest, type FitTarget } from '../../infra/contract/fit-request.ts';
import { settleAll } from '../../infra/drivers/settle-all.ts';
import { beating, earlierDetails } from '../beating.ts';
import type { JobData } from '../compute/job-data.ts';
import type { Tools } from '../tools.ts';
import type { Activities, Scored } from '../types.ts';
import { hopelessOf, progressOf } from './drop-hopeless.ts';
import { holdScores, type HeldScores } from './held-scores.ts';
import { createProgressLog } from './progress-log.ts';
import { running, scoreOne } from './score-one.ts';

/** What a heartbeat carries: an attempt that follows goes on from it, and the Temporal UI shows it. */
export interface Reached {
  /** Candidates that have ended, the dropped ones too. */
  readonly ended: readonly Scored[];
  /** The first fold of all is behind it. */
  readonly dropped: boolean;
}

/** Where a first attempt begins. */
export const atBeginning: Reached = { ended: [], dropped: false };

/** What the attempt before this one had reached. */
export const reachedBefore = (): Reached => (earlierDetails() as Reached | null | undefined) ?? atBeginning;

export interface Scoring {
  /** Without those that could not be scored for a reason that is the service's, and the averages that need them. */
  readonly scores: readonly Scored[];
  /** Resolves once the progress of all is written. */
  readonly told: Promise<void>;
}

/**
 * Every candidate of a job. A candidate that could not be scored for a reason that is the service's is left out of the
 * answer, as are the averages that need it; one that cannot be fitted answers `failed`. Idempotent: another attempt
 * takes over what the last heartbeat of this one names.
 */
export function createScoreCandidates(tools: Tools): Activities['scoreCandidates'] {
  return ({ request, dataset }) =>
    beating(async (signal, beat) => {
      const open = () => tools.blobs.open(dataset.ref);
      await using recent = holdScores(tools.recent);
      const { scores, told } = await scoreAll({ ...tools, recent }, request, open, reachedBefore(), signal, (reached) =>
        beat(reached, recent.store),
      );
      await Promise.all([told, recent.store()]);
      return scores;
    });
}

/**
 * All candidates but those that had ended `earlier`, on the first fold, which drops those that cannot catch up, then on
 * the others, all threads at once. The scores are held; the caller has them stored.
 */
export async function scoreAll(
  tools: Tools & { readonly recent: HeldScores },
  request: FitTarget & Pick<FitRequest, 'candidates'>,
  open: () => Promise<JobData>,
  earlier: Reached,
  signal: AbortSignal,
  beat: (reached: Reached) => void,
): Promise<Scoring> {
  const { pool, recent, log: say } = tools;
  const { jobId, candidates } = request;
  const ended = new Map(earlier.ended.map((each) => [each.method, each]));
  let { dropped } = earlier;
  const tell = (): void => beat({ ended: [...ended.values()], dropped });
  tell();
  using progress = createProgressLog(pool, jobId);
  const end = (scored: Scored): Scored => {
    ended.set(scored.method, scored);
    tell();
    return scored;
  };
  for (const candidate of candidates) if (!ended.has(candidate.id)) progress.tell(running(candidate));
  const data = await open();

  if (!dropped && candidates.length >= worthDropping) {
    const hopeless = await hopelessOf(tools, request, data, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      say?.warn('The first fold could not be scored; no candidate is dropped.', { job: jobId, error });
      return [];
    });
    for (const each of hopeless.filter(({ method }) => !ended.has(method))) progress.tell(progressOf(end(each)));
  }
  dropped = true;

  const under = new Map<string, Promise<Scored | null>>();
  const score = async (candidate: Candidate): Promise<Scored | null> => {
    const { id, members: names = [] } = candidate;
    const known = ended.get(id);
    if (known) return known;
    try {
      const before = await Promise.all(names.flatMap((name) => under.get(name) ?? []));
      if (before.some((each) => !each?.ref)) return null;
      const members = await Promise.all(before.map((each) => recent.get(each!.ref!)));
      return end(await scoreOne(tools, { request, data, candidate, members, signal, tell: progress.tell }));
    } catch (error) {
      if (signal.aborted) throw error;
      say?.warn(`${candidate.title} could not be scored with the others.`, { job: jobId, error });
      return null;
    }
  };
  for (const candidate of candidates) under.set(candidate.id, score(candidate));
  const scores = await settleAll([...under.values()]);
  const told = progress.end();
  told.catch(() => undefined);
  return { scores: scores.filter((each) => each !== null), told };
}
