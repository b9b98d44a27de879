import { inspect } from 'node:util';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ObjectAltered, ObjectConflict, StoreUnavailable, type ByteStore } from '../../infra/drivers/objects/bytes.ts';
import { createS3Store } from '../../infra/drivers/objects/s3-store.ts';
import { parseS3Url } from '../../infra/drivers/objects/s3-url.ts';
import { setEnvironment } from '../support/byte-stores.ts';
import { fault, fine, hangUp, inTurn, silence, startFakeS3, type FakeS3 } from '../support/fake-s3.ts';

const secret = 'canary-of-the-secret-key';
let environment: { restore(): void };
let s3: FakeS3;
beforeAll(() => {
  environment = setEnvironment({
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  });
});
afterAll(() => environment.restore());
beforeEach(async () => {
  s3 = await startFakeS3();
});
afterEach(() => s3.close());

const patience = { connectMs: 500, silenceMs: 300, wholeMs: 20_000, attempts: 3 };
const open = (query = '', waits: Partial<typeof patience> = {}): ByteStore =>
  createS3Store(parseS3Url(`s3://bucket/prefix?region=us-east-1&endpoint=${s3.endpoint}${query}`), {
    limits: { ...patience, ...waits },
  });
const bytes = Buffer.from('bytes');
const methods = (): string[] => s3.asked.map(({ method }) => method);
const failure = async (work: Promise<unknown>): Promise<StoreUnavailable> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreUnavailable);
  return error as StoreUnavailable;
};

describe('a server that has trouble', () => {
  it('is retried after SlowDown, and given up after a number of attempts', async () => {
    s3.answer = inTurn(fault(503, 'SlowDown'), fault(503, 'SlowDown'), fine());
    await open().put('a', bytes);
    expect(methods()).toEqual(['PUT', 'PUT', 'PUT']);
    s3.answer = fault(503, 'SlowDown');
    const { reason, message } = await failure(open().put('a', bytes));
    expect([reason, message]).toEqual(['unreachable', expect.stringContaining('SlowDown, HTTP 503')]);
    expect(s3.asked).toHaveLength(6);
  });

  it('never blocks for ever: silent from the start, silent in the middle of an answer, or endlessly slow', async () => {
    s3.answer = silence;
    expect(await failure(open().put('a', bytes))).toMatchObject({ reason: 'unreachable' });
    expect(await failure(open().get('a'))).toMatchObject({ reason: 'unreachable' });
    s3.answer = (response) => void response.writeHead(200, { etag: '"e"', 'content-length': '5' }).write('by');
    expect(await failure(open().get('a'))).toMatchObject({ reason: 'unreachable' });
    s3.answer = (response) => {
      response.writeHead(200, { etag: '"e"' });
      const drip = setInterval(() => response.write('x'), 50);
      response.once('close', () => clearInterval(drip));
    };
    expect(await failure(open('', { wholeMs: 700, attempts: 1 }).get('a'))).toMatchObject({ reason: 'unreachable' });
  });

  it('is retried after an interrupted answer', async () => {
    const half: FakeS3['answer'] = (response) => {
      response.writeHead(200, { etag: '"e"', 'content-length': '5' }).write('by', () => response.destroy());
    };
    s3.answer = inTurn(half, silence, fine('bytes'));
    expect(Buffer.from((await open().get('a'))!.bytes).toString()).toBe('bytes');
    expect(methods()).toEqual(['GET', 'GET', 'GET']);
  });

  it('that does not exist is reported as missing', async () => {
    await s3.close();
    expect(await failure(open().get('a'))).toMatchObject({ reason: 'unreachable' });
    expect((await failure(open().delete(['a']))).message).toMatch(/bucket bucket cannot be reached .*ECONNREFUSED/);
  });
});

describe('a conditional put', () => {
  it('whose answer was lost is recognised as its own when it is sent again', async () => {
    let written: string | undefined;
    s3.answer = inTurn(
      (response, { headers }) => {
        written = headers['x-amz-meta-write'] as string;
        hangUp(response, s3.asked.at(-1)!);
      },
      fault(412, 'PreconditionFailed'),
      (response, asked) => fine('', { 'x-amz-meta-write': written! })(response, asked),
    );
    await open().put('a', bytes, 'nothing');
    expect(methods()).toEqual(['PUT', 'PUT', 'HEAD']);
    expect(s3.asked[0]!.headers['if-none-match']).toBe('*');
  });

  it('of another process is a conflict', async () => {
    s3.answer = inTurn(fault(412, 'PreconditionFailed'), fine('', { 'x-amz-meta-write': 'of another' }));
    await expect(open().put('a', bytes, 'nothing')).rejects.toBeInstanceOf(ObjectConflict);
    s3.answer = inTurn(fault(412, 'PreconditionFailed'), fault(404, 'NotFound'));
    await expect(open().put('a', bytes, { version: '"v"' })).rejects.toBeInstanceOf(ObjectConflict);
    expect(s3.asked[2]!.headers['if-match']).toBe('"v"');
  });

  it('that collided with another one is started again', async () => {
    s3.answer = inTurn(fault(409, 'ConditionalRequestConflict'), fault(404, 'NotFound'), fine());
    await open().put('a', bytes, 'nothing');
    expect(methods()).toEqual(['PUT', 'HEAD', 'PUT']);
  });
});

describe('data that goes to the server', () => {
  const large = Buffer.alloc(9 * 1024 * 1024, 1);

  it('has a checksum and the encryption that the URL asks for', async () => {
    await open().put('a', bytes);
    const { headers, url } = s3.asked[0]!;
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(bytes));
    expect([url.split('?')[0], headers['x-amz-checksum-crc32']]).toEqual(['/bucket/prefix/a', sum.toString('base64')]);
    await open('&checksums=sha256&sse=aws:kms&sse_key=key-1').put('a', bytes);
    expect(s3.asked[1]!.headers).toMatchObject({
      'x-amz-checksum-sha256': expect.any(String),
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
    });
    await open('&checksums=when_required&sse=AES256').put('a', bytes);
    expect(Object.keys(s3.asked[2]!.headers).filter((name) => /checksum|trailer/.test(name))).toEqual([]);
    expect(s3.asked[2]!.headers['x-amz-server-side-encryption']).toBe('AES256');
  });

  it('is uploaded in parts if it is large; a failed put aborts its parts', async () => {
    const begun = fine('<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>');
    s3.answer = (response, asked) => {
      if (asked.method === 'POST') begun(response, asked);
      else if (asked.method === 'DELETE') response.writeHead(204).end();
      else fault(403, 'AccessDenied')(response, asked);
    };
    expect(await failure(open().put('a', large, 'nothing'))).toMatchObject({ reason: 'refused' });
    const seen = s3.asked.map(({ method, url }) => `${method} ${/uploadId=\w+|uploads/.exec(url)?.[0]}`);
    expect(seen[0]).toBe('POST uploads');
    expect(seen.at(-1)).toBe('DELETE uploadId=u1');
  });

  it('that was never completed is aborted when it is old, if its name belongs to the service', async () => {
    const id = `clf_${'0'.repeat(32)}`;
    const hour = 'staged/2026-11-23T08';
    const ours = [`models/${id}/job`, `fits/${id}/job/report`, `${hour}/${id}/job`];
    const probe = `${hour}/probe/x`;
    const others = ['models/resnet/w.bin', `models/${id}`, 'staged/video.mp4', `${hour}/video.mp4`, 'report.csv'];
    const upload = (name: string): string =>
      `<Upload><Key>prefix/${name}</Key><UploadId>u</UploadId><Initiated>2026-11-23T08:00:00Z</Initiated></Upload>`;
    const listed = fine(`<ListMultipartUploadsResult>${[...others, ...ours, probe].map(upload).join('')}
      <IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`);
    s3.answer = (response, asked) =>
      asked.method === 'GET' ? listed(response, asked) : void response.writeHead(204).end();
    expect(await open().removeDrafts(new Date('2026-11-23T07:59:00Z'))).toBe(0);
    expect(await open().removeDrafts(new Date('2026-11-23T08:01:00Z'))).toBe(4);
    const aborted = s3.asked.filter(({ method }) => method === 'DELETE');
    expect(aborted.map(({ url }) => /^\/bucket\/prefix\/(.*)\?/.exec(url)![1])).toEqual([...ours, probe]);
  });

  it('is deleted in one request, or one by one if the server does not support that', async () => {
    const store = open();
    s3.answer = fine('<DeleteResult/>');
    await store.delete(['a', 'b']);
    expect(methods()).toEqual(['POST']);
    s3.answer = (response, asked) =>
      asked.method === 'POST' ? fault(501, 'NotImplemented')(response, asked) : void response.writeHead(204).end();
    await store.delete(['a', 'b', 'c']);
    await store.delete(['d', 'e']);
    expect(methods().slice(1).toSorted()).toEqual(['DELETE', 'DELETE', 'DELETE', 'DELETE', 'DELETE', 'POST']);
    s3.answer = fine('<DeleteResult><Error><Key>prefix/a</Key><Code>AccessDenied</Code></Error></DeleteResult>');
    expect((await failure(open().delete(['a', 'b']))).message).toContain('AccessDenied');
  });
});

describe('data that comes back', () => {
  it('that differs from the written data is reported as altered, after a second read', async () => {
    s3.answer = fine('other', { 'x-amz-checksum-crc32': 'AAAAAA==' });
    await expect(open().get('a')).rejects.toBeInstanceOf(ObjectAltered);
    expect(s3.asked).toHaveLength(patience.attempts);
    expect(s3.asked[0]!.headers['x-amz-checksum-mode']).toBe('ENABLED');
  });

  it.each([
    [404, 'NoSuchBucket', 'Create the bucket, or correct OBJECT_STORE_URL.'],
    [403, 'SignatureDoesNotMatch', 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    [403, 'AccessDenied', 'may list the bucket and read, write and delete'],
    [403, 'RequestTimeTooSkewed', 'Set the clock'],
    [400, 'AuthorizationHeaderMalformed', 'bucket, region and endpoint'],
    [301, 'PermanentRedirect', 'bucket, region and endpoint'],
  ])('as %i %s is reported with the remedy, and quotes nothing of the request', async (status, code, remedy) => {
    s3.answer = fault(
      status,
      code,
      `<StringToSign>${secret}</StringToSign><AWSAccessKeyId>AKIAEXAMPLE</AWSAccessKeyId>`,
    );
    const error = await failure(open().get('a'));
    expect(error).toMatchObject({ reason: 'refused', message: expect.stringContaining(remedy) });
    expect(error.message).toContain(code);
    const shown = inspect(error, { showHidden: true, depth: 9 });
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain('AKIAEXAMPLE');
  });

  it('is reported as missing credentials if the process has none', async () => {
    const none = setEnvironment({ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' });
    try {
      const { reason, message } = await failure(open().get('a'));
      expect([reason, message]).toEqual(['refused', expect.stringContaining('finds no credentials')]);
      expect(s3.asked).toEqual([]);
    } finally {
      none.restore();
    }
  });
});
