import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (response: ServerResponse, content: Buffer, request: IncomingMessage) => void;

/** A site that serves files at their paths. */
export interface FileSite {
  readonly url: string;
  /** Requests so far: path and Range header. */
  readonly asked: { readonly path: string; readonly range: string | undefined }[];
  /** Most requests that were answered at the same time. */
  mostAtOnce(): number;
  contentOf(path: string): Buffer;
  /** Other answers than the file, one for each request to come; the last one stays. */
  answer(path: string, ...answers: readonly Answer[]): void;
  /** Restores the usual answers and clears the record of requests. */
  reset(): void;
  close(): Promise<void>;
}

/** The whole file, or the range of a Range header. */
export const whole: Answer = (response, content, request) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(from)) response.writeHead(200, { 'content-length': content.length }).end(content);
  else if (from >= content.length) response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
  else
    response
      .writeHead(206, {
        'content-range': `bytes ${from}-${content.length - 1}/${content.length}`,
        'content-length': content.length - from,
      })
      .end(content.subarray(from));
};

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers).end('no file');
  };

/** Breaks the connection after some bytes. */
export const broken =
  (bytes: number): Answer =>
  (response, content) => {
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, bytes), () => setTimeout(() => response.destroy(), 20));
  };

/** Sends some bytes and then nothing more. */
export const silent =
  (bytes: number): Answer =>
  (response, content) => {
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, bytes));
  };

/** Other content under the same name. */
export const other =
  (change: (content: Buffer) => Buffer): Answer =>
  (response, content, request) =>
    whole(response, change(Buffer.from(content)), request);

/** Serves `contents` below `under`, on a free port of this machine. */
export async function openFileSite(contents: ReadonlyMap<string, Buffer>, under = '/'): Promise<FileSite> {
  const answers = new Map<string, Answer[]>();
  const asked: { path: string; range: string | undefined }[] = [];
  let [now, most] = [0, 0];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(under, '');
    asked.push({ path, range: request.headers.range });
    most = Math.max(most, ++now);
    response.on('close', () => now--);
    const content = contents.get(path);
    const own = answers.get(path);
    const answer = own && own.length > 1 ? own.shift()! : own?.[0];
    if (!content) response.writeHead(404).end();
    else setTimeout(() => (answer ?? whole)(response, content, request), 10);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    mostAtOnce: () => most,
    contentOf: (path) => contents.get(path)!,
    answer: (path, ...own) => void answers.set(path, [...own]),
    reset() {
      answers.clear();
      asked.length = 0;
      most = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
