import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { npmTarball } from './tarball.ts';
import { pythonWheel, type Package } from './wheel.ts';

/** Path of the packages of the clients. */
const packagesPath = '/clients';

let made: Promise<readonly Package[]> | undefined;

/** Builds the packages once per process, on the first request. After a failure the next call tries again. */
function clientPackages(): Promise<readonly Package[]> {
  made ??= Promise.all([pythonWheel(), npmTarball()]).catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}

const indexOf = (packages: readonly Package[]): string =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Clients of the EEG task-classifier service</title></head>
<body>
<h1>Clients</h1>
<p>The <a href="/docs/quickstart">quickstart</a> says how to install them.</p>
<ul>
${packages.map(({ name }) => `<li><a href="${packagesPath}/${name}">${name}</a></li>`).join('\n')}
</ul>
</body>
</html>
`;

/**
 * The packages of both clients, so that a customer installs the clients of this very service: `/clients` lists them, as
 * `pip install --find-links` reads it.
 */
export function clientPackageRoutes(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    reply.header('cache-control', 'no-cache');
  });
  const index = async (): Promise<string> => indexOf(await clientPackages());
  for (const path of [packagesPath, `${packagesPath}/`])
    scope.get(path, async (_request, reply) => {
      const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
      return await reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .send(await index());
    });
  scope.get<{ Params: { name: string } }>(`${packagesPath}/:name`, async ({ params }, reply) => {
    const packages = await clientPackages();
    const found = packages.find(({ name }) => name === params.name);
    if (!found) {
      const names = packages.map(({ name }) => name).join(' and ');
      throw new ApiError('NOT_FOUND', `There is no package ${params.name.slice(0, 100)}. There are ${names}.`);
    }
    return await reply.type(found.type).send(Buffer.from(found.body));
  });
}
