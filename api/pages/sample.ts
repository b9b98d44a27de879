import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { sampleNames } from '../../infra/recordings/sample/sample.ts';

/** Where anybody can download the sample recording and the report of its model. */
const samplePath = '/sample';

/** A real model of the sample recording, as the interface answers it. */
const modelName = 'model.json';

const typeOf = (name: string): string => (name === modelName ? 'application/json; charset=utf-8' : 'application/edf');

/** The files of the sample recording, and the model behind the public sample report. */
export function sampleFiles(scope: FastifyInstance): void {
  const names = new Set<string>([...sampleNames, modelName]);
  const read = new Map<string, Promise<Buffer>>();
  scope.get<{ Params: { name: string } }>(`${samplePath}/:name`, async ({ params: { name } }, reply) => {
    if (!names.has(name))
      throw new ApiError('NOT_FOUND', 'The sample recording has no such file.', {
        advice: [`There are ${[...names].join(', ')}.`],
      });
    const body = read.get(name) ?? readFile(new URL(`../../infra/recordings/sample/${name}`, import.meta.url));
    read.set(name, body);
    body.catch(() => read.delete(name));
    return await reply
      .type(typeOf(name))
      .header('cache-control', 'public, max-age=3600')
      .header('x-content-type-options', 'nosniff')
      .send(await body);
  });
}
