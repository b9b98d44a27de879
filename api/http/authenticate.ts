import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../infra/contract/errors.ts';
import { parseKey } from '../../infra/records/accounts/key-format.ts';
import type { Credential } from '../../infra/records/admission/admit.ts';
import { unauthenticated } from './refusals.ts';

/** How callers of a scope authenticate. */
export interface Authentication {
  /** Reads the credential of a request. Throws if the request has no credential of the expected form. */
  readonly credentialOf: (request: FastifyRequest) => Credential;
  /** The answer to an unknown credential. */
  readonly unknown: () => ApiError;
}

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

/** API keys (spec, "Authentication"). */
export const byKey: Authentication = {
  credentialOf(request) {
    const key = parseKey(bearerOf(request));
    if (!key) throw unauthenticated(malformed);
    return { kind: 'key', ...key };
  },
  unknown: () => unauthenticated('The API key is not known.'),
};
