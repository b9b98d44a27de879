import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { channels, labels, nested } from '../support/requests.ts';

const source = fileURLToPath(new URL('../../clients/typescript/src/index.ts', import.meta.url));

let api: TestApi;
let proxy: Server;
let origin: string;
/** Headers that the page sent to the proxy. */
const sent: Record<string, unknown>[] = [];
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  const { key } = await newAccount(api.database, { key: { mode: 'test' } });
  const bundled = await build({ entryPoints: [source], bundle: true, format: 'esm', write: false });
  const own: Record<string, [string, string]> = {
    '/': ['text/html', '<!doctype html><title>A page</title>'],
    '/client.js': ['text/javascript', bundled.outputFiles[0].text],
  };
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    sent.push(request.headers);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const reply = await send(api.app, key, request.method!, request.url!.replace('/eeg', ''), body);
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.text);
  };
  proxy = createServer((request, response) => {
    const [type, text] = own[request.url!] ?? ['text/plain', ''];
    if (request.url!.startsWith('/eeg/')) void forward(request, response);
    else response.setHeader('content-type', type).end(text);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await api.close();
});

describe.skipIf(chromiumMissing)('the TypeScript client in a browser', () => {
  it('refuses a key, in a page and in a worker, and works over a proxy that adds one', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(origin);
      const refusal = `import('${origin}/client.js').then(({ EegTaskClassifier }) => {
        try { new EegTaskClassifier({ apiKey: 'eeg_live_x', baseUrl: '/eeg' }); } catch (error) { return error.code; }
      })`;
      expect(await page.evaluate(refusal)).toBe('API_KEY_IN_BROWSER');
      const worker = `new Promise((resolve) => {
        const text = ${JSON.stringify(`${refusal}.then((code) => postMessage(code));`)};
        const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
        const worker = new Worker(url, { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
      })`;
      expect(await page.evaluate(worker)).toBe('API_KEY_IN_BROWSER');
      expect(sent).toEqual([]);

      const input = { x: nested(), sampling_rate_hz: 100, units: 'uV', channels };
      const program = `import('/client.js').then(async ({ EegTaskClassifier }) => {
        const eeg = new EegTaskClassifier({ baseUrl: '/eeg' });
        const input = ${JSON.stringify(input)};
        const labels = ${JSON.stringify(labels)};
        const model = await eeg.create({ ...input, labels, description: 'left hand or right hand' });
        return (await eeg.predict(model, input)).data.length;
      })`;
      expect(await page.evaluate(program)).toBe(labels.length);
      expect(sent.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
      expect(sent[0]['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    } finally {
      await browser.close();
    }
  });
});
