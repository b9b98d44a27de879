import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../infra/drivers/config.ts';
import { freePort } from '../../infra/embedded/ports.ts';
import { serverProcess, type ServerProcess } from './server-process.ts';
import type { Site } from './site.ts';

const deploy = fileURLToPath(new URL('../../infra/deploy/', import.meta.url));

export interface Prometheus extends ServerProcess {
  readonly url: string;
}

/** Starts a Prometheus that scrapes each process of the site every 2 s and evaluates the alert rules. */
export async function startPrometheus(program: string, dir: string, { apis, workers }: Site): Promise<Prometheus> {
  await mkdir(dir, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const job = (job_name: string, members: Site['apis']) => ({
    job_name,
    static_configs: [{ targets: members.map((each) => new URL(each.url).host) }],
  });
  const config = {
    global: { scrape_interval: '2s', evaluation_interval: '2s' },
    rule_files: [join(deploy, 'prometheus', '*.yaml')],
    scrape_configs: [job('eeg-api', apis), job('eeg-worker', workers)],
  };
  const file = join(dir, 'prometheus.yml');
  // YAML includes JSON.
  await writeFile(file, JSON.stringify(config, null, 2));
  const command = [
    program,
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const server = serverProcess('Prometheus', join(dir, 'prometheus.log'), command, { env: childEnvironment({}) }, () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  await server.start();
  return { ...server, url };
}

interface Panel {
  readonly title?: string;
  readonly targets?: readonly { readonly expr?: string }[];
  readonly panels?: readonly Panel[];
}

/** Queries of the board with the number of their series. Throws if Prometheus refuses a query. */
export async function runBoard(url: string): Promise<{ readonly title: string; readonly series: number }[]> {
  const board = JSON.parse(await readFile(join(deploy, 'grafana/service.json'), 'utf8')) as Panel;
  const all = (panel: Panel): Panel[] => [panel, ...(panel.panels ?? []).flatMap(all)];
  const found: { title: string; series: number }[] = [];
  for (const { title = '', targets = [] } of all(board))
    for (const { expr } of targets) {
      if (expr === undefined) continue;
      const reply = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expr })}`);
      const { status, error, data } = (await reply.json()) as {
        status: string;
        error?: string;
        data?: { result: unknown[] };
      };
      if (status !== 'success') throw new Error(`The board's query "${title}" is refused: ${error}`);
      found.push({ title, series: data!.result.length });
    }
  return found;
}

/** Names of the alerts that fire or are pending. */
export async function alertsOf(url: string): Promise<string[]> {
  const reply = await fetch(`${url}/api/v1/alerts`);
  const { data } = (await reply.json()) as {
    data: { alerts: { state: string; labels: { alertname: string } }[] };
  };
  return [...new Set(data.alerts.map(({ state, labels }) => `${labels.alertname} (${state})`))];
}
