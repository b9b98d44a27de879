import { fewestPeople } from '../../ml/limits.ts';
import { type ReferenceFitRequest, inWholeSamples } from '../../infra/contract/reference-fits.ts';
import { startReferenceFit } from '../../infra/drivers/temporal/reference-fit-workflow.ts';
import {
  usualFitSeconds,
  fitKeyOf,
  recordFitRequest,
  readFit,
  type StoredFit,
} from '../../infra/records/reference-fits/fits.ts';
import { peopleUsed } from '../../infra/records/reference-data/prepare.ts';
import { queueFit } from '../../infra/records/reference-fits/queue-fit.ts';
import type { AskDeps } from './ask-for-preparation.ts';

/** The account that requests a fit, the time, and whether a fit that is due may be started. */
interface FitAsking {
  readonly at?: Date;
  readonly start?: boolean;
  readonly accountId?: string | null;
}

/**
 * The progress of the fit for a shape of trials. Starts the fit if it is due and allowed, and if not too many are
 * running, in total or for the account; else the caller must retry. Rejects the request if too few people are prepared
 * for the evidence, which happens while their task is prepared again.
 */
export async function askForFit(
  { pool, client, taskQueue }: AskDeps,
  wanted: Omit<ReferenceFitRequest, 'key'>,
  { at = new Date(), start = true, accountId = null }: FitAsking = {},
): Promise<StoredFit & { readonly key: string }> {
  const rounded = { ...wanted, shape: inWholeSamples(wanted.shape) };
  const people = await peopleUsed(pool, rounded);
  const key = fitKeyOf(rounded, people);
  if (people.length < fewestPeople) return { ...tooFew(people.length), key };
  await recordFitRequest(pool, key, at);
  const before = await readFit(pool, key, at);
  if (!before.due || !start) return { ...before, key };
  const request = { ...rounded, key };
  const usual = usualFitSeconds(people.length, rounded.shape.channelNames.length);
  if (!(await queueFit(pool, request, usual, at, accountId)))
    return { ...before, status: 'queued', retryable: true, reason: null, estimatedSeconds: 2 * usual, key };
  await startReferenceFit(client, request, { taskQueue });
  return { ...(await readFit(pool, key, at)), key };
}

const tooFew = (people: number): StoredFit => ({
  status: 'failed',
  retryable: true,
  reason: `${people} people are prepared at present, and ${fewestPeople} are needed.`,
  estimatedSeconds: null,
  due: false,
  result: null,
});
