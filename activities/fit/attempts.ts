import { Context } from '@temporalio/activity';
import { isStoreUnavailable } from '../../infra/drivers/objects/index.ts';
import { isUnreachable } from '../../infra/drivers/postgres/index.ts';
import { earlierDetails, type Report } from '../with-heartbeats.ts';
import { finalFailure } from './final-failure.ts';
import { isHandedBack } from './fit-turns.ts';

/** Attempts of a fit that may fail; one that an outage of Postgres or the object store ended does not count. */
const most = 5;
/** From this one on a candidate that the service could not score counts as failed. */
const lastForCandidates = 3;

interface Counted {
  readonly outages?: number;
}

/**
 * Runs an attempt of a fit, whose heartbeats carry the number of outages to the next one. Temporal repeats attempts for an
 * hour; throws BACKEND_FAILURE, which ends the job, after the last one that counts.
 */
export async function countingAttempts<T>(
  report: Report,
  run: (report: Report, isLastForCandidates: boolean) => Promise<T>,
): Promise<T> {
  let details = (earlierDetails() ?? {}) as Counted;
  const outages = details.outages ?? 0;
  const attempt = Context.current().info.attempt - outages;
  if (attempt > most)
    throw finalFailure({
      code: 'BACKEND_FAILURE',
      message: 'The fit failed on the service side and nothing was charged. Send the request again.',
    });
  const counted: Report = (next, store) => {
    const own = { ...next, outages };
    if (!store) details = own;
    report(own, store && (() => store().then(() => void (details = own))));
  };
  try {
    return await run(counted, attempt >= lastForCandidates);
  } catch (error) {
    if (isUnreachable(error) || isStoreUnavailable(error) || isHandedBack(error))
      report({ ...details, outages: outages + 1 });
    throw error;
  }
}
