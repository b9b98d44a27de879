import { loadConfig } from '../../infra/drivers/config.ts';
import { openWeightsStore } from '../../infra/weights/store.ts';
import { catalogue } from '../../ml/encoders/catalogue/index.ts';

/** The variables that the service reads, and those that its libraries read. */
const known = new Set<string>();
loadConfig(new Proxy({}, { get: (_, name) => void known.add(String(name)) }));
const librariesOwn = /^(AWS_[A-Z_]+|OTEL_[A-Z_]+|NODE_[A-Z_]+|GLIBC_TUNABLES)$/;

/** Of variables that a deploy file names, those that nobody reads. */
export const strangeVariables = (names: readonly string[]): string[] =>
  names.filter((name) => !known.has(name) && !librariesOwn.test(name));

/** What `make-env.sh` makes. */
export const composeSecrets = {
  POSTGRES_PASSWORD: 'p'.repeat(32),
  S3_ACCESS_KEY: 'key',
  S3_SECRET_KEY: 's'.repeat(32),
  DATA_ENCRYPTION_KEY: 'a'.repeat(64),
  SESSION_SECRET: 's'.repeat(32),
  GRAFANA_PASSWORD: 'g'.repeat(32),
};

/** Where the weights of pretrained models lie for a process of that environment. */
export function placesOfWeights(environment: Readonly<Record<string, string>>): string[] {
  const { modelStoreUrl: url, cacheDir } = loadConfig(environment);
  const store = openWeightsStore({ url, cacheDir });
  return catalogue.map((model) => store.pathOf(model));
}
