import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { isShared, shareTokenPattern } from '../../infra/records/task-models/share-links.ts';
import type { ApiDeps } from '../deps.ts';
import { clientAddress } from '../http/client-address.ts';
import { networkAttempts, requireAttempts } from './http/limited.ts';
import { createTurns } from './http/turns.ts';

/** Path of the page of a shared report. */
export const sharedPath = (token: string): string => `/shared/${token}`;

/** The message never repeats the address, which is a secret. */
export const noSuchShare = (): ApiError =>
  new ApiError('NOT_FOUND', 'This link was ended, or its report is not here any more.', {
    advice: ['Ask the person who sent the link for a new one.'],
  });

/** Limits how often one network asks for shared reports, before the link is looked for. */
export const requireSharedAttempt = ({ pool }: Pick<ApiDeps, 'pool'>, request: FastifyRequest): Promise<void> =>
  requireAttempts(pool, networkAttempts(request, 'shared'), 'requests for shared reports', '');

/** The page needs no account, so one address must not fill the connections to the database. */
const inTurn = createTurns(4);

/** Throws NOT_FOUND unless the share link works; RATE_LIMITED after too many requests. */
export async function requireShared(
  deps: Pick<ApiDeps, 'pool'>,
  token: string,
  request: FastifyRequest,
): Promise<void> {
  if (!shareTokenPattern.test(token)) throw noSuchShare();
  await inTurn(clientAddress(request), async () => {
    await requireSharedAttempt(deps, request);
    if (!(await isShared(deps.pool, token))) throw noSuchShare();
  });
}
