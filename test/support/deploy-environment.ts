import { loadConfig } from '../../infra/drivers/config.ts';
import { isShipped } from '../../infra/weights/shipped-path.ts';
import { openWeightsStore } from '../../infra/weights/store.ts';
import { catalogue } from '../../ml/encoders/catalogue/index.ts';

/** Variables that the service or its libraries read. */
const known = new Set<string>();
loadConfig(new Proxy({}, { get: (_, name) => void known.add(String(name)) }));
const librariesOwn = /^(AWS_[A-Z_]+|OTEL_[A-Z_]+|NODE_[A-Z_]+|GLIBC_TUNABLES)$/;

/** The variables of a deploy file that no program reads. */
export const unknownVariables = (names: readonly string[]): string[] =>
  names.filter((name) => !known.has(name) && !librariesOwn.test(name));

/** Variables that `make-env.sh` creates. */
export const composeSecrets = {
  POSTGRES_PASSWORD: 'p'.repeat(32),
  S3_ACCESS_KEY: 'key',
  S3_SECRET_KEY: 's'.repeat(32),
  DATA_ENCRYPTION_KEY: 'a'.repeat(64),
  SESSION_SECRET: 's'.repeat(32),
  GRAFANA_PASSWORD: 'g'.repeat(32),
};

/** Folders of the downloaded weights for a process with that environment. */
export function placesOfWeights(environment: Readonly<Record<string, string>>): string[] {
  const { modelStoreUrl: url, cacheDir } = loadConfig(environment);
  const store = openWeightsStore({ url, cacheDir });
  return catalogue.filter((model) => !isShipped(model)).map((model) => store.pathOf(model));
}
