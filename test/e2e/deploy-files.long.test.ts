import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { version as interfaceVersion } from '../../api/contract/version.ts';
import { serviceRoutes } from '../../api/routes/routes.ts';
import { loadConfig } from '../../infra/drivers/config.ts';
import { stopSeconds } from '../../infra/main/stops.ts';
import {
  chartOf,
  container,
  deployments,
  environmentOf,
  everything,
  needed,
  secretsBeside,
  type Chart,
} from '../support/deploy-chart.ts';
import { composeSecrets, unknownVariables } from '../support/deploy-environment.ts';
import { deployTools, type ComposeModel, type ComposeService, type DeployTools } from '../support/deploy-tools.ts';
import { runTool } from '../support/fetched-tool.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const deploy = join(root, 'infra/deploy');
const text = (name: string): Promise<string> => readFile(join(deploy, name), 'utf8');

const served = serviceRoutes.map(({ operation }) => operation.path as string);

/** First build of the tools: a minute on an idle machine. */
let tools: DeployTools;
beforeAll(async () => {
  tools = await deployTools();
}, 1_800_000);

describe('compose.yaml', () => {
  let model: ComposeModel;
  let ours: [string, ComposeService][];
  const all = (): [string, ComposeService][] => Object.entries(model.services);
  beforeAll(async () => {
    if (tools.compose) model = await tools.compose(join(deploy, 'compose.yaml'), composeSecrets);
    if (model) ours = all().filter(([, each]) => each.build !== undefined);
  });

  it('is read by the loader of the Compose specification: two APIs, three workers, a proxy and their servers', (test) => {
    if (!model) {
      test.skip();
      return;
    }
    const names = Object.keys(model.services);
    const wanted = ['postgres', 'temporal', 'temporal-ui', 's3', 'proxy', 'prometheus', 'grafana'];
    expect(names).toEqual(expect.arrayContaining(wanted));
    const running = (file: string) => ours.filter(([, { command }]) => command?.includes(`infra/main/${file}.ts`));
    expect(running('api')).toHaveLength(2);
    expect(
      running('worker')
        .map(([, { environment }]) => environment!['WORKER_TASKS'])
        .sort(),
    ).toEqual(['heavy', 'heavy', 'light']);
    for (const [name, { image }] of all()) expect(image, name).toMatch(/^[^:]+:(?!latest)[^:]+$/);
  });

  it('names the command that makes missing secrets, and contains none', async (test) => {
    if (!tools.compose) {
      test.skip();
      return;
    }
    await expect(tools.compose(join(deploy, 'compose.yaml'), {})).rejects.toThrow(
      'run infra/deploy/compose/make-env.sh',
    );
    const made = await runTool('sh', [join(deploy, 'compose/make-env.sh')]);
    const names = made
      .trim()
      .split('\n')
      .map((line) => line.slice(0, line.indexOf('=')));
    expect(names.sort()).toEqual(Object.keys(composeSecrets).sort());
    const asked = (await text('compose.yaml')).matchAll(/\$\{([A-Z_0-9]+):\?/g);
    expect([...new Set([...asked].map(([, name]) => name))].sort()).toEqual(Object.keys(composeSecrets).sort());
  });

  it('sets what the service reads, to values that it takes', (test) => {
    if (!model) {
      test.skip();
      return;
    }
    for (const [name, { environment }] of ours) {
      expect(unknownVariables(Object.keys(environment ?? {})), name).toEqual([]);
      expect(() => loadConfig(environment!), name).not.toThrow();
    }
  });

  it('runs the service without rights, on a root that cannot be written', (test) => {
    if (!model) {
      test.skip();
      return;
    }
    for (const [name, service] of ours) {
      const how = { read_only: true, init: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
      expect(service, name).toMatchObject(how);
    }
  });

  it('probes paths and ports that the service serves, and waits for the longest stop', (test) => {
    if (!model) {
      test.skip();
      return;
    }
    for (const [name, service] of ours.filter(([, { expose }]) => expose)) {
      const url = new URL(service.healthcheck!.test.at(-1)!);
      const { PORT, WORKER_HEALTH_PORT } = service.environment!;
      expect([url.port, served.includes(url.pathname)], name).toEqual([PORT ?? WORKER_HEALTH_PORT, true]);
      expect(service.expose, name).toEqual([url.port]);
      const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(service.stop_grace_period!)!;
      const least = PORT === undefined ? 60 : stopSeconds;
      expect(Number(minutes) * 60 + Number(seconds), name).toBeGreaterThanOrEqual(least);
    }
  });

  it('trusts only its proxy, and shows metrics only to Prometheus', async (test) => {
    if (!model) {
      test.skip();
      return;
    }
    const addressOf = (name: string) => model.services[name].networks['inside']!.ipv4_address;
    const apis = ours.filter(([, { environment }]) => environment?.['PORT']);
    for (const [, { environment }] of apis) expect(environment!['TRUSTED_PROXIES']).toBe(addressOf('proxy'));
    for (const [, { environment }] of ours.filter(([, each]) => each.environment?.['METRICS_ALLOW']))
      expect(environment!['METRICS_ALLOW']).toBe(`${addressOf('prometheus')}/32`);
    const caddy = await text('compose/Caddyfile');
    expect(/reverse_proxy (.*) \{/.exec(caddy)![1].split(' ')).toEqual(apis.map(([name]) => `${name}:8080`));
    expect(served).toContain(/health_uri (\S+)/.exec(caddy)![1]);
    expect(caddy).toMatch(/@inner path \/metrics\n\s*respond @inner 404/);
    const targets = [...(await text('compose/prometheus.yaml')).matchAll(/targets: \[(.*)\]/g)].flatMap(([, list]) =>
      list.split(', '),
    );
    const listening = ours.flatMap(([name, { expose }]) => (expose ?? []).map((port) => `${name}:${port}`));
    expect(targets.sort()).toEqual(listening.sort());
    for (const [name, { ports }] of all().filter(([each]) => each !== 'proxy'))
      for (const { host_ip: host } of ports ?? []) expect(host, name).toBe('127.0.0.1');
  });

  it('mounts only files that exist', async (test) => {
    if (!model) {
      test.skip();
      return;
    }
    const mounted = all().flatMap(([, { volumes }]) => (volumes ?? []).filter(({ type }) => type === 'bind'));
    expect(mounted.length).toBeGreaterThan(4);
    for (const { source } of mounted) await expect(stat(source), source).resolves.toBeTruthy();
    for (const [name, service] of ours) {
      const file = service.command!.find((word) => word.endsWith('.ts'))!;
      await expect(stat(join(root, file)), name).resolves.toBeTruthy();
    }
  });
});

describe('the chart', () => {
  const { render, manifests }: Chart = chartOf(() => tools);

  it('passes the linter of Helm', async (test) => {
    if (!tools.helm) {
      test.skip();
      return;
    }
    for (const values of [needed, everything]) await tools.helm('lint', join(deploy, 'chart'), '1.30.0', ...values);
    await expect(tools.helm('lint', join(deploy, 'chart'), '1.30.0')).rejects.toThrow('existingSecret');
  });

  it.each([
    ['nothing but what must be set', needed],
    ['everything', everything],
    ['weights in each pod', [...needed, 'weights.pull=true']],
  ])('is valid Kubernetes, old and new, with %s', async (_, values) => {
    if (!tools.helm || !tools.python) return;
    const script =
      'import sys, yaml, kubernetes_validate as k\n' +
      'for d in yaml.safe_load_all(sys.argv[1]):\n' +
      '  if d and d["kind"] != "PodMonitor":\n' +
      '    for v in ("1.27", "1.30", "1.37"): k.validate(d, v, strict=True)\n';
    await runTool(tools.python, ['-c', script, await render(values)]);
  });

  it('says what is missing', async (test) => {
    if (!tools.helm) {
      test.skip();
      return;
    }
    const names = ['existingSecret', 'address', 'objectStoreUrl', 'trustedProxies'];
    for (const [i, name] of names.entries())
      await expect(render(needed.filter((_, n) => n !== i))).rejects.toThrow(name);
    await expect(render([...needed, 'ingress.enabled=true'])).rejects.toThrow(/host/);
  });

  it('sets what the service reads, to values that it takes', async (test) => {
    if (!tools.helm || !tools.python) {
      test.skip();
      return;
    }
    for (const values of [needed, everything]) {
      const list = deployments(await manifests(values));
      expect(list.map(({ metadata }) => metadata.name)).toEqual(['eeg-api', 'eeg-worker-heavy', 'eeg-worker-light']);
      for (const each of list) {
        const environment = environmentOf(each);
        expect(unknownVariables(Object.keys(environment)), each.metadata.name).toEqual([]);
        expect(() => loadConfig(secretsBeside(environment)), each.metadata.name).not.toThrow();
      }
    }
    const documented = (await text('chart/values.yaml')).match(
      /^# Name of a Secret that you make[^]*?\nexistingSecret/m,
    )![0];
    expect(unknownVariables([...documented.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => name))).toEqual([]);
  });

  it('probes paths that the service serves, gives pods no write access or privileges, and waits for the longest stop', async (test) => {
    if (!tools.helm || !tools.python) {
      test.skip();
      return;
    }
    for (const each of deployments(await manifests(everything))) {
      const pod = each.spec.template.spec;
      const main = container(each);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(main.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const { PORT, WORKER_HEALTH_PORT } = environmentOf(each);
      expect(main.ports).toEqual([{ name: 'http', containerPort: Number(PORT ?? WORKER_HEALTH_PORT) }]);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        expect(served).toContain(main[probe].httpGet.path);
        expect(main[probe].httpGet.port).toBe('http');
      }
      expect(main.startupProbe.periodSeconds * main.startupProbe.failureThreshold).toBeGreaterThanOrEqual(3_600);
      expect(main.readinessProbe.httpGet.path).toBe('/readyz');
      // `everything` names a build, whose fits a worker ends before it goes.
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(PORT ? stopSeconds : 660);
      expect(main.resources.requests.memory).toBeDefined();
      const mounts = main.volumeMounts.map(({ name }: { name: string }) => name);
      expect(pod.volumes.map(({ name }: { name: string }) => name)).toEqual(mounts);
      await expect(stat(join(root, main.command[1]))).resolves.toBeTruthy();
    }
  });

  it('selects exactly the existing pods for disruption budgets, autoscaling and spreading', async (test) => {
    if (!tools.helm || !tools.python) {
      test.skip();
      return;
    }
    const list = await manifests(everything);
    const pods = new Map(deployments(list).map(({ metadata, spec }) => [metadata.name, spec.template.metadata.labels]));
    const of = (kind: string) => list.filter((each) => each.kind === kind);
    for (const { metadata, spec } of of('PodDisruptionBudget'))
      expect(spec.selector.matchLabels, metadata.name).toEqual(pods.get(metadata.name));
    expect(of('PodDisruptionBudget')).toHaveLength(3);
    expect(
      of('HorizontalPodAutoscaler')
        .map(({ spec }) => spec.scaleTargetRef.name as string)
        .sort(),
    ).toEqual([...pods.keys()].sort());
    for (const each of deployments(list))
      for (const spread of each.spec.template.spec.topologySpreadConstraints)
        expect(spread.labelSelector.matchLabels).toEqual(pods.get(each.metadata.name));
    const [service] = of('Service');
    expect(service.spec.selector).toEqual(pods.get('eeg-api'));
    expect(of('Ingress')[0].spec.rules[0].http.paths[0].backend.service.name).toBe(service.metadata.name);
  });
});

interface Instruction {
  readonly instruction: string;
  readonly value: string;
}

describe('the container file', () => {
  let lines: Instruction[];
  beforeAll(async () => {
    if (!tools.python) return;
    const script =
      'import json, sys, dockerfile_parse as d\n' +
      'p = d.DockerfileParser(fileobj=open(sys.argv[1], "rb"))\n' +
      'json.dump([{k: i[k] for k in ("instruction", "value")} for i in p.structure], sys.stdout)';
    lines = JSON.parse(await runTool(tools.python, ['-c', script, join(deploy, 'Containerfile')])) as Instruction[];
  });
  const last = (name: string): string => lines.findLast(({ instruction }) => instruction === name)!.value;

  it('runs as a numeric user other than root, with the pinned runtime and a health check', (test) => {
    if (!lines) {
      test.skip();
      return;
    }
    expect(last('USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    expect(last('ENV')).toContain('PATH=/app/node_modules/node/bin:');
    expect(last('HEALTHCHECK')).toContain('infra/deploy/check-health.ts');
    expect(served).toContain(new URL(/http:[^"]+/.exec(last('HEALTHCHECK'))![0]).pathname);
    expect(last('ENV')).toContain(`PORT=${last('EXPOSE')}`);
    const names = [...last('ENV').matchAll(/([A-Z_]+)=/g)].map(([, name]) => name).filter((name) => name !== 'PATH');
    expect(unknownVariables(names)).toEqual([]);
    expect(lines.map(({ instruction }) => instruction)).not.toContain('ADD');
    expect(
      lines.filter(({ instruction }) => instruction === 'ARG').every(({ value }) => !/:latest|=[^:]+$/.test(value)),
    ).toBe(true);
  });

  it('contains every folder that the service imports from, and the ignore file excludes none of them', async (test) => {
    if (!lines) {
      test.skip();
      return;
    }
    const copied = lines
      .filter(({ instruction, value }) => instruction === 'COPY' && !value.startsWith('--from'))
      .flatMap(({ value }) => value.split(/\s+/).slice(0, -1));
    const rooms = ['ml', 'infra', 'api', 'activities', 'workflows', 'clients', 'docs/movement-network.md'];
    expect(copied).toEqual(expect.arrayContaining([...rooms, 'package.json', 'package-lock.json']));
    const allowed = (await readFile(join(root, '.containerignore'), 'utf8')).match(/(?<=^!).*/gm);
    expect(new Set(copied)).toEqual(new Set(allowed));
  });

  it('is of the version of the package, like the chart, the image of compose.yaml, the interface and the clients', async (test) => {
    if (!lines) {
      test.skip();
      return;
    }
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(last('LABEL')).toContain(`image.version="${version}"`);
    const chart = await text('chart/Chart.yaml');
    expect(chart).toContain(`\nversion: ${version}\n`);
    expect(chart).toContain(`appVersion: '${version}'`);
    expect(await text('compose.yaml')).toContain(`eeg-task-classifier:${version}}`);
    expect(await readFile(join(root, 'clients/typescript/package.json'), 'utf8')).toContain(`"version": "${version}"`);
    expect(await readFile(join(root, 'clients/python/pyproject.toml'), 'utf8')).toContain(`version = "${version}"`);
    expect(interfaceVersion).toBe(version);
  });
});
