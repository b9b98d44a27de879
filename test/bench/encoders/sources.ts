import { pathToFileURL } from 'node:url';
import { createSessions } from '../../../infra/encoders/sessions.ts';
import { loadConfig } from '../../../infra/drivers/config.ts';
import { statusOfWeights, type WeightsConfig } from '../../../infra/weights/weights-status.ts';
import { catalogue } from '../../../ml/encoders/catalogue/index.ts';
import { currentEncoders, type Encoders } from '../../../ml/encoders/index.ts';
import type { EncoderAvailability } from '../../../ml/types.ts';
import { modelsFolder } from '../../support/published-models.ts';
import { standInEncoders, standInAvailability } from '../../support/stand-in-encoders.ts';

/** Encoders that a bench reads trials with. */
export interface EncoderSource {
  readonly title: string;
  readonly encoders: Encoders;
  readonly availability: EncoderAvailability;
}

/** Weights that nobody trained: what the network makes of trials without having learned anything. */
export const randomSource: EncoderSource = {
  title: 'random weights',
  encoders: standInEncoders,
  availability: standInAvailability,
};

/**
 * The published weights that are on this machine, whether the catalogue has them on or not: where MODEL_STORE_URL says,
 * in the cache folder, or in the folder of published models. `absent`: encoders without weights, and why.
 */
export async function publishedSource(): Promise<
  EncoderSource & { readonly absent: Readonly<Record<string, string>> }
> {
  const { modelStoreUrl, cacheDir } = loadConfig();
  const urls = [modelStoreUrl, null, pathToFileURL(modelsFolder).href];
  const known = catalogue.filter(({ id }) => Object.hasOwn(currentEncoders, id));
  const modelsEnabled = known.map(({ id }) => id);
  const look = (url: string | null) =>
    statusOfWeights({ modelStoreUrl: url, modelsEnabled, cacheDir } satisfies WeightsConfig, console, known);
  const found = (await Promise.all(urls.map(look))).flat();
  const held = new Map(
    found.flatMap(({ id, weights }) => (weights ? [[id, { id, hash: weights.sha256, path: weights.path }]] : [])),
  );
  const sessions = createSessions({ threads: 1, mostBytes: 2 ** 30 });
  return {
    title: 'published weights',
    encoders:
      ({ id }) =>
      (graph, inputs) =>
        sessions.run(held.get(id)!, graph, inputs),
    availability: Object.fromEntries([...held].map(([id, { hash }]) => [id, { hash }])),
    absent: Object.fromEntries(
      found.flatMap(({ id, reason }) => (reason === null || held.has(id) ? [] : [[id, reason]])),
    ),
  };
}
