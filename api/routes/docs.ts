import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../docs/openapi.ts';
import { errorsPage, referencePage, type DescribedInterface } from '../docs/page.ts';

/** The interface description and its pages, rendered once. */
export function docsRoutes(app: FastifyInstance): void {
  const document = openApiDocument();
  const pages: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/openapi.json': ['application/json; charset=utf-8', JSON.stringify(document)],
    '/docs': ['text/html; charset=utf-8', referencePage(document as unknown as DescribedInterface)],
    '/docs/errors': ['text/html; charset=utf-8', errorsPage()],
  };
  for (const [url, [type, text]] of Object.entries(pages)) {
    app.get(url, (_request, reply) =>
      reply.type(type).header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'").send(text),
    );
  }
}
