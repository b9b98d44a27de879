import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify from 'fastify';
import { escape } from './markup.ts';
import { frame } from './layout.ts';

/** Scalar shows the reference only, with every route: no test requests, no keys, no connections to other hosts. */
const configuration = {
  url: '/openapi.json',
  pageTitle: 'API reference · EEG task classifiers',
  hideTestRequestButton: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  withDefaultFonts: false,
  persistAuth: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
} as const;

/** `/docs/api`: the API reference, which Scalar renders from /openapi.json. */
export const referencePage = (): string =>
  frame(
    configuration.pageTitle,
    'Every route, field and error of the interface.',
    `<noscript><p>The reference is drawn by a script. Without one, read <a href="/openapi.json">openapi.json</a> or
<a href="/docs">the documentation</a>.</p></noscript>
<div id="content" tabindex="-1">
<div id="api-reference" data-configuration="${escape(JSON.stringify(configuration))}"></div>
</div>
<script src="/docs/api/scalar.js"></script>`,
    { here: '/docs/api', style: 'reference' },
  );

/** Scalar's own file, gzipped. It is large, so it is loaded on the first request. */
export async function referenceScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { rawPayload, statusCode } = await app.inject('/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`Scalar's file was answered ${statusCode}.`);
  return await promisify(gzip)(rawPayload);
}
