import { expect, it } from 'vitest';
import { toApiError } from '../../api/http/errors.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';

it.each([
  ['overdue', /took a thread longer than any request may; nothing was charged/],
  ['out of memory', /needed more memory than any request may; nothing was charged/],
  ['lost', /ended before it did; nothing was charged/],
] as const)('a task whose thread was ended (%s) is answered 503 and may be sent again', (reason, words) => {
  const error = toApiError(new ThreadLost('inside', { reason }));
  expect([error.code, error.status, error.retryAfterSeconds]).toEqual(['POOL_UNAVAILABLE', 503, 2]);
  expect(error.message).toMatch(words);
});

it('a connection to the database that breaks is no broken upload of the caller', () => {
  for (const code of ['ECONNRESET', 'ECONNABORTED']) {
    const error = toApiError(Object.assign(new Error('read ' + code), { code }));
    expect([error.code, error.status]).toEqual(['BILLING_UNAVAILABLE', 503]);
  }
});
