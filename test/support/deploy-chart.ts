import { fileURLToPath } from 'node:url';
import { readYaml, type DeployTools } from './deploy-tools.ts';

const folder = fileURLToPath(new URL('../../infra/deploy/chart', import.meta.url));

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: any;
}

/** Values that must be set. */
export const needed = [
  'existingSecret=eeg',
  'temporal.address=temporal-frontend.temporal:7233',
  'objectStoreUrl=s3://eeg/objects?region=eu-central-1',
  'trustedProxies={10.0.0.0/8}',
];

/** Values that change what is rendered, nearly all of them. */
export const everything = [
  ...needed,
  'ingress.enabled=true',
  'ingress.host=eeg.example.org',
  'ingress.tlsSecret=certificate',
  'podMonitor.enabled=true',
  'api.autoscaling.enabled=true',
  'workers.light.autoscaling.enabled=true',
  'workers.heavy.autoscaling.enabled=true',
  'tlsSecret=tls',
  'temporal.tls.caFile=ca.pem',
  'temporal.tls.certFile=client.pem',
  'temporal.tls.keyFile=client.key',
  'temporal.tls.serverName=temporal.example.org',
  'databasePooler=transaction',
  'referenceDataUrl=https://mirror.example.org',
  'modelStoreUrl=https://weights.example.org',
  'modelsEnabled={robust-sleep-net,dcrnn-tusz}',
  'weights.pull=true',
  'weights.claim=weights',
  'weights.models={robust-sleep-net,labram-base}',
  'otlpEndpoint=http://collector:4318',
  'logLevel=info',
  'metricsAllow={10.1.0.0/16}',
  'worker.deploymentBuild=one',
  'extraEnv.DATA_DIR=/tmp',
  `image.digest=sha256:${'0'.repeat(64)}`,
];

export const deployments = (list: readonly Manifest[]): Manifest[] => list.filter(({ kind }) => kind === 'Deployment');
/** The process of a deployment. */
export const container = ({ spec }: Manifest): any => spec.template.spec.containers[0];
export const environmentOf = (each: Manifest): Record<string, string> =>
  Object.fromEntries(container(each).env.map(({ name, value }: { name: string; value: string }) => [name, value]));

/** With what the chart's Secret brings. */
export const secretsBeside = (environment: Record<string, string>): Record<string, string> => ({
  ...environment,
  DATABASE_URL: 'postgres://a:b@c/d',
  DATA_ENCRYPTION_KEY: 'a'.repeat(64),
  SESSION_SECRET: 's'.repeat(32),
});

/** The chart as Helm renders it with `--set` of each value. */
export interface Chart {
  render(values: readonly string[]): Promise<string>;
  manifests(values: readonly string[]): Promise<Manifest[]>;
}

/** `tools`: those that are there when something is rendered. */
export function chartOf(tools: () => DeployTools): Chart {
  const render: Chart['render'] = async (values) => await tools().helm!('template', folder, '1.30.0', ...values);
  return { render, manifests: async (values) => await readYaml<Manifest>(tools().python!, await render(values)) };
}
