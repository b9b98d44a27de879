import type { FastifyRequest } from 'fastify';
import { parseKey } from '../../infra/records/accounts/index.ts';
import { createAdmissionQueue } from '../../infra/records/admission/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Doorkeeper } from './admission.ts';
import { unauthenticated } from './refusals.ts';
import type { AccountTurns } from './turns.ts';

function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) throw unauthenticated('The request has no API key.');
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match) throw unauthenticated('The Authorization header is not of the form "Bearer <API_KEY>".');
  return match[1];
}

const malformed =
  'The API key is malformed: a key is `eeg_live_…` or `eeg_test_…`, and its last characters are a checksum of the ' +
  'others. Copy it whole.';

/**
 * Admits who has a key (spec, "Authentication"). Requests that come at once are admitted together; what has to be said
 * of one alone takes its turn with others of the account.
 */
export function keyHolders(
  { pool, admissions }: Pick<ApiDeps, 'pool' | 'admissions'>,
  turns: AccountTurns,
): Doorkeeper {
  const queue = admissions ?? createAdmissionQueue(pool);
  return (request) => {
    const key = parseKey(bearerOf(request));
    if (!key) throw unauthenticated(malformed);
    const { keyId, hash } = key;
    const secret = Buffer.from(hash).toString('base64');
    return {
      secret,
      keyId,
      admit: (wanted) => queue.admit(secret, { ...wanted, keyId, secretHash: hash }, (work) => turns.run(secret, work)),
    };
  };
}
