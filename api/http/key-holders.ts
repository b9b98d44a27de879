import type { FastifyRequest } from 'fastify';
import { parseKey } from '../../infra/records/accounts/index.ts';
import { admit } from '../../infra/records/admission/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Doorkeeper } from './admission.ts';
import { unauthenticated } from './refusals.ts';

function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) throw unauthenticated('The request has no API key.');
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match) throw unauthenticated('The Authorization header is not of the form "Bearer <API_KEY>".');
  return match[1];
}

/** Admits who has a key (spec, "Authentication"). */
export const keyHolders =
  ({ pool }: Pick<ApiDeps, 'pool'>): Doorkeeper =>
  (request) => {
    const key = parseKey(bearerOf(request));
    if (!key) throw unauthenticated('The API key is malformed: its checksum does not fit.');
    const { keyId, hash } = key;
    return {
      secret: Buffer.from(hash).toString('base64'),
      keyId,
      admit: (wanted) => admit(pool, { ...wanted, keyId, secretHash: hash }),
    };
  };
