import type { FastifyInstance } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { openApiDocument } from '../docs/openapi.ts';
import { errorsPage, referencePage, type DescribedInterface } from '../docs/page.ts';

type Pages = Readonly<Record<string, readonly [type: string, text: string]>>;

const rendered = new WeakMap<readonly Operation[], Pages>();

function render(operations: readonly Operation[]): Pages {
  const document = openApiDocument(operations);
  return {
    '/openapi.json': ['application/json; charset=utf-8', JSON.stringify(document)],
    '/docs': ['text/html; charset=utf-8', referencePage(document as unknown as DescribedInterface, operations)],
    '/docs/errors': ['text/html; charset=utf-8', errorsPage()],
  };
}

/** The interface description and its pages, rendered once in a process. */
export function docsPages(scope: FastifyInstance, operations: readonly Operation[]): void {
  const pages = rendered.get(operations) ?? render(operations);
  rendered.set(operations, pages);
  scope.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
  });
  for (const [url, [type, text]] of Object.entries(pages))
    scope.get(url, (_request, reply) => reply.type(type).send(text));
}
