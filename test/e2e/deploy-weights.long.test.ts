import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../ml/encoders/catalogue/index.ts';
import {
  chartOf,
  container,
  deployments,
  environmentOf,
  everything,
  needed,
  secretsBeside,
} from '../support/deploy-chart.ts';
import { composeSecrets, placesOfWeights, unknownVariables } from '../support/deploy-environment.ts';
import { deployTools, type DeployTools } from '../support/deploy-tools.ts';

const target = '/var/lib/eeg-weights';
let tools: DeployTools;
beforeAll(async () => {
  tools = await deployTools();
}, 1_800_000);

describe('weights of pretrained models', () => {
  it('are downloaded by a service of compose.yaml, and read by all its processes', async (test) => {
    if (!tools.compose) {
      test.skip();
      return;
    }
    const file = fileURLToPath(new URL('../../infra/deploy/compose.yaml', import.meta.url));
    const { models, ...others } = (await tools.compose(file, composeSecrets)).services;
    const weights = { type: 'volume', source: 'weights', target };
    expect(models).toMatchObject({ profiles: ['models'], restart: 'no', volumes: [weights] });
    expect(models.command).toEqual(['node', 'infra/main/models.ts', 'pull']);
    const places = placesOfWeights(models.environment!);
    expect(places.every((place) => place.startsWith(`${target}/`))).toBe(true);
    const processes = Object.entries(others).filter(([, { build, expose }]) => build && expose);
    expect(processes).toHaveLength(5);
    for (const [name, { environment, volumes, depends_on }] of processes) {
      expect(placesOfWeights(environment!), name).toEqual(places);
      expect(volumes, name).toContainEqual(expect.objectContaining({ ...weights, read_only: true }));
      expect(depends_on!['models'], name).toEqual({ condition: 'service_completed_successfully', required: false });
    }
  });

  it('are downloaded by an init container of the chart to a volume that its pod reads', async (test) => {
    if (!tools.helm || !tools.python) {
      test.skip();
      return;
    }
    const { render, manifests } = chartOf(() => tools);
    const weightsOf = async (values: readonly string[]) =>
      deployments(await manifests(values)).map((each) => {
        const { initContainers = [], volumes } = each.spec.template.spec;
        const named = (list: readonly any[]) => list.filter(({ name }) => name === 'weights');
        return { each, inits: initContainers, volumes: named(volumes), mounts: named(container(each).volumeMounts) };
      });
    for (const { each, inits, volumes, mounts } of await weightsOf(needed)) {
      expect([inits, volumes, mounts], each.metadata.name).toEqual([[], [], []]);
      expect(environmentOf(each)).not.toHaveProperty('MODEL_STORE_URL');
    }
    const own = { name: 'weights', emptyDir: { sizeLimit: '1Gi' } };
    const shared = { name: 'weights', persistentVolumeClaim: { claimName: 'weights' } };
    for (const [values, volume, named] of [
      [[...needed, 'weights.pull=true'], own, []],
      [everything, shared, ['robust-sleep-net', 'labram-base']],
    ] as const)
      for (const { each, inits, volumes, mounts } of await weightsOf(values)) {
        const [init] = inits;
        expect(inits, each.metadata.name).toHaveLength(1);
        expect(init.command).toEqual(['node', 'infra/main/models.ts', 'pull', ...named]);
        for (const id of named) expect(catalogue.map((model) => model.id)).toContain(id);
        expect([init.image, init.securityContext]).toEqual([container(each).image, container(each).securityContext]);
        expect(volumes).toEqual([volume]);
        expect(mounts).toEqual([{ name: 'weights', mountPath: target, readOnly: true }]);
        expect(init.volumeMounts).toContainEqual({ name: 'weights', mountPath: target });
        const environment = Object.fromEntries(
          init.env.map(({ name, value }: Record<string, string>) => [name, value]),
        );
        expect(unknownVariables(Object.keys(environment))).toEqual([]);
        const places = placesOfWeights(environment);
        expect(places.every((place) => place.startsWith(`${target}/`))).toBe(true);
        expect(placesOfWeights(secretsBeside(environmentOf(each)))).toEqual(places);
      }
    for (const { inits, volumes, mounts } of await weightsOf([...needed, 'weights.claim=weights']))
      expect([inits, volumes, mounts.length]).toEqual([[], [shared], 1]);
    await expect(render([...needed, 'modelStoreUrl=file:///weights'])).rejects.toThrow('modelStoreUrl');
  });
});
