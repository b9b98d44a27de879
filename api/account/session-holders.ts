import { terms } from '../../infra/contract/terms.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { hashToken } from '../../infra/records/accounts/index.ts';
import { admitSession } from '../../infra/records/admission/index.ts';
import type { FastifyRequest } from 'fastify';
import type { KeyMode } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import type { Doorkeeper } from '../http/admission.ts';
import type { AccountTurns } from '../http/turns.ts';
import { requireCsrfToken } from './http/own-page.ts';
import { requireToken, signedOut } from './http/session.ts';

/** Says whether a request of the pages is for live or for test models. */
const modeHeader = 'x-key-mode';

/** What requests of the pages are counted under, in place of a key. */
const dashboardKeyId = 'dashboard';

function modeOf({ headers }: FastifyRequest): KeyMode {
  const mode = headers[modeHeader] ?? 'live';
  if (mode !== 'live' && mode !== 'test') throw invalidField(modeHeader, 'The mode is live or test.', ['live', 'test']);
  return mode;
}

/** Looking, and taking away what is there, goes on under the terms that were accepted before. */
const underAnyTerms: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** Admits who is signed in to the public interface, as a key of the account with all permissions would be. */
export const sessionHolders =
  (deps: Pick<ApiDeps, 'pool' | 'sessionSecret'>, turns: AccountTurns): Doorkeeper =>
  (request) => {
    const token = requireToken(request);
    requireCsrfToken(deps, request, token);
    const mode = modeOf(request);
    const tokenHash = hashToken(token);
    const current = underAnyTerms.has(request.method) ? null : terms.version;
    const secret = tokenHash.toString('base64');
    return {
      secret,
      keyId: dashboardKeyId,
      async admit(wanted) {
        const admission = await turns.run(secret, () =>
          admitSession(deps.pool, { ...wanted, tokenHash, mode, terms: current }),
        );
        if (admission.outcome === 'UNAUTHENTICATED') throw signedOut();
        return admission;
      },
    };
  };
