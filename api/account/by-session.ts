import type { FastifyRequest } from 'fastify';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import type { KeyMode } from '../../infra/contract/task-model.ts';
import { terms } from '../../infra/contract/terms.ts';
import { hashToken } from '../../infra/records/accounts/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import type { Authentication } from '../http/authenticate.ts';
import { requireCsrfToken } from './http/own-page.ts';
import { requireToken, signedOut } from './http/session.ts';

/** Selects live or test models for a request of the pages. */
const modeHeader = 'x-key-mode';

function modeOf({ headers }: FastifyRequest): KeyMode {
  const mode = headers[modeHeader] ?? 'live';
  if (mode !== 'live' && mode !== 'test') throw invalidField(modeHeader, 'The mode is live or test.', ['live', 'test']);
  return mode;
}

/** These methods work even if the account has accepted only earlier terms. */
const underAnyTerms: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** Authenticates sessions of the account pages. They have the permissions of a key with every permission. */
export const bySession = (deps: Pick<ApiDeps, 'sessionSecret'>): Authentication => ({
  credentialOf(request) {
    const token = requireToken(request);
    requireCsrfToken(deps, request, token);
    const current = underAnyTerms.has(request.method) ? null : terms.version;
    return { kind: 'session', hash: hashToken(token), mode: modeOf(request), terms: current };
  },
  unknown: signedOut,
});
