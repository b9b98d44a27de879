import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A received request. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Answering = (response: ServerResponse, asked: Asked) => void;

/** A server with as much of S3 as a test needs: `answer` answers each request. */
export interface FakeS3 {
  readonly endpoint: string;
  readonly asked: Asked[];
  answer: Answering;
  close(): Promise<void>;
}

export async function startFakeS3(): Promise<FakeS3> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => {
        const { method = '', url = '', headers } = request;
        asked.push({ method, url, headers, body });
        fake.answer(response, asked.at(-1)!);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeS3 = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: fine(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

/** Success, with headers and a body. */
export const fine =
  (body: string | Buffer = '', headers: Record<string, string> = {}): Answering =>
  (response) => {
    response.writeHead(200, { etag: '"e"', 'content-length': String(body.length), ...headers }).end(body);
  };

/** An error of S3; `more`: further elements of its XML. */
export const fault =
  (status: number, code: string, more = ''): Answering =>
  (response) => {
    const said = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Said by S3.</Message>${more}</Error>`;
    response.writeHead(status, { 'content-type': 'application/xml' }).end(response.req.method === 'HEAD' ? '' : said);
  };

/** Never answers. */
export const silence: Answering = () => undefined;

/** Ends the connection without an answer. */
export const hangUp: Answering = (response) => void response.destroy();

/** One answer for each request; the last one is repeated. */
export function inTurn(...answers: readonly Answering[]): Answering {
  let next = 0;
  return (response, asked) => answers[Math.min(next++, answers.length - 1)]!(response, asked);
}
