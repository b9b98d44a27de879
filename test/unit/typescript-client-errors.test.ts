import { describe, expect, it } from 'vitest';
import { inspect } from 'node:util';
import { isBrowser, addressOf } from '../../clients/typescript/src/environment.ts';
import * as client from '../../clients/typescript/src/index.ts';
import { errorTable } from '../../infra/contract/errors.ts';
import { fakeFetch, refusal } from '../support/client-fetch.ts';

const { EegTaskClassifier } = client;
const baseUrl = 'https://eeg.example.org';
const apiKey = 'eeg_live_abcdefghijklmnop_secret';

const classOf: Readonly<Record<string, unknown>> = {
  authentication_error: client.AuthenticationError,
  billing_error: client.BillingError,
  permission_error: client.PermissionError,
  not_found_error: client.NotFoundError,
  conflict_error: client.ConflictError,
  invalid_request_error: client.InvalidRequestError,
  rate_limit_error: client.RateLimitError,
  api_error: client.ApiError,
  service_unavailable_error: client.ServiceUnavailableError,
};

describe('an error of the TypeScript client', () => {
  it.each(Object.entries(errorTable))(
    '%s has the class of its type, with every field of the answer',
    async (code, row) => {
      const details = { request_id: 'req_7', status: 'expired' };
      const body = refusal(code, row.type, { field: 'x', alternatives: [{ units: 'V' }], details });
      const { fetch } = fakeFetch(() => ({ status: row.status, body }));
      const error: any = await new EegTaskClassifier({ apiKey, baseUrl, fetch, retries: 0 }).usage().catch((e) => e);
      expect(error).toBeInstanceOf(classOf[row.type]);
      expect(error).toBeInstanceOf(client.EegError);
      const { status, type, field, message, alternatives, requestId } = error;
      expect({ status, type, field, message, alternatives, requestId, details: error.details }).toEqual({
        status: row.status,
        type: row.type,
        field: 'x',
        message: `${code} in words.`,
        alternatives: [{ units: 'V' }],
        requestId: 'req_7',
        details,
      });
      expect(inspect(error, { depth: 5 })).not.toContain(apiKey);
    },
  );

  it('never holds the key, and neither does the client when it is printed', async () => {
    const { fetch } = fakeFetch(() => ({ throws: new TypeError('fetch failed') }));
    const eeg = new EegTaskClassifier({ apiKey, baseUrl, fetch, retries: 0 });
    const error: unknown = await eeg.usage().catch((e: unknown) => e);
    expect(inspect([eeg, error], { depth: 9, showHidden: true })).not.toContain('secret');
    expect(JSON.stringify([eeg, error])).not.toContain('secret');
    for (const key of [`${apiKey}\nx`, `${apiKey} x`]) {
      const make = (): unknown => new EegTaskClassifier({ apiKey: key, baseUrl });
      expect(make).toThrow(expect.objectContaining({ code: 'INVALID_API_KEY' }));
      expect(make).not.toThrow(/secret/);
    }
  });
});

describe('where the TypeScript client runs', () => {
  const page = { window: {}, document: {} };
  const env = { EEG_API_KEY: `${apiKey}\n`, EEG_BASE_URL: `${baseUrl}/` };
  it.each([
    ['a page', page, true],
    ['a worker of a browser', { WorkerGlobalScope: {} }, true],
    ['a service worker', { ServiceWorkerGlobalScope: {} }, true],
    ['Node', { process: { versions: { node: '24.0.0' } } }, false],
    ['a page simulated in Node', { ...page, process: { versions: { node: '24.0.0' } } }, false],
    ['Deno', { ...page, Deno: {} }, false],
    ['Bun', { Bun: {} }, false],
    ['a page with a process that a bundler put there', { ...page, process: { env: {}, versions: {} } }, true],
  ])('%s is distinguished from a browser', (_, scope, expected) => {
    expect(isBrowser(scope)).toBe(expected);
  });

  it('in a browser it refuses a key, reads no environment, and takes the address of a proxy', () => {
    expect(() => addressOf({ apiKey, baseUrl }, page)).toThrow(expect.objectContaining({ code: 'API_KEY_IN_BROWSER' }));
    expect(() => addressOf({}, { ...page, process: { env } })).toThrow(expect.objectContaining({ code: 'NO_ADDRESS' }));
    expect(addressOf({ baseUrl: '/eeg/' }, page)).toEqual({ apiKey: null, baseUrl: '/eeg' });
  });

  it('takes key and address from its options, else from the environment', () => {
    const process = { versions: { node: '24.0.0' }, env };
    expect(addressOf({}, { process })).toEqual({ apiKey, baseUrl });
    const given = { apiKey: 'eeg_test_other', baseUrl: 'http://127.0.0.1:8080' };
    expect(addressOf(given, { process })).toEqual(given);
    expect(() => addressOf({}, {})).toThrow(expect.objectContaining({ code: 'NO_ADDRESS' }));
    expect(() => addressOf({ baseUrl: 'eeg' }, {})).toThrow(expect.objectContaining({ code: 'NO_ADDRESS' }));
    const forbidden = {
      get env(): never {
        throw new Error('Requires env access');
      },
    };
    expect(addressOf({ baseUrl }, { Deno: {}, process: forbidden })).toEqual({ apiKey: null, baseUrl });
  });

  it('sends a key without TLS only to this machine', () => {
    for (const address of ['http://eeg.example.org', 'http://127.0.0.1.example.org'])
      expect(() => addressOf({ apiKey, baseUrl: address }, {})).toThrow(
        expect.objectContaining({ code: 'INSECURE_ADDRESS' }),
      );
    for (const address of ['http://localhost:8080', 'http://[::1]:8080', 'http://127.0.0.1'])
      expect(addressOf({ apiKey, baseUrl: address }, {}).baseUrl).toBe(address);
  });
});
