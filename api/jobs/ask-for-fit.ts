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

/** Who asks for a fit, when, and whether it is started where that is due. */
interface FitAsking {
  readonly at?: Date;
  readonly start?: boolean;
  readonly accountId?: string | null;
}

/**
 * How far the fit for a shape of trials is, after starting it where that is due and allowed, and not too many are under
 * way, of all or of the account: whoever asks for another comes again. Refused where fewer people are prepared than
 * evidence rests on, which is so while their task is prepared again.
 */
export async function askForFit(
  { pool, client, taskQueue }: AskDeps,
  asked: Omit<ReferenceFitRequest, 'key'>,
  { at = new Date(), start = true, accountId = null }: FitAsking = {},
): Promise<StoredFit & { readonly key: string }> {
  const wanted = { ...asked, shape: inWholeSamples(asked.shape) };
  const people = await peopleUsed(pool, wanted);
  const key = fitKeyOf(wanted, people);
  if (people.length < fewestPeople) return { ...tooFew(people.length), key };
  await recordFitRequest(pool, key, at);
  const before = await readFit(pool, key, at);
  if (!before.due || !start) return { ...before, key };
  const request = { ...wanted, key };
  const usual = usualFitSeconds(people.length, wanted.shape.channelNames.length);
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
