import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { measureProcess, registry } from '../../infra/observe/metrics.ts';

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../infra/deploy/${name}`, import.meta.url), 'utf8');

/** Names that Prometheus makes of a histogram. */
const parts = ['_bucket', '_sum', '_count'];

async function known(): Promise<Map<string, string>> {
  measureProcess();
  const metrics = await registry.getMetricsAsJSON();
  return new Map(metrics.map(({ name, type }) => [name, String(type)]));
}

/** Metrics that a text names. */
const namesIn = (text: string): string[] => [...new Set(text.match(/\b(?:eeg|nodejs|process)_[a-z0-9_]+/g))];

async function missing(names: readonly string[]): Promise<string[]> {
  const metrics = await known();
  return names.filter((name) => {
    if (metrics.has(name)) return metrics.get(name) === 'histogram';
    const part = parts.find((each) => name.endsWith(each));
    return part === undefined || metrics.get(name.slice(0, -part.length)) !== 'histogram';
  });
}

test('every metric of the board exists, and every metric of ours is on the board', async () => {
  const board = JSON.parse(await read('grafana/service.json')) as { panels: { targets: { expr: string }[] }[] };
  const names = namesIn(board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n'));
  expect(names.length).toBeGreaterThan(25);
  expect(await missing(names)).toEqual([]);
  const shown = new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
  const ours = [...(await known()).keys()].filter((name) => name.startsWith('eeg_'));
  expect(ours.filter((name) => !shown.has(name))).toEqual([]);
});

test('every alert says what happened, uses existing metrics, and has a page and two tests', async () => {
  const text = await read('prometheus/alerts.yaml');
  const alerts = text.split(/^ {6}- alert: /m).slice(1);
  const names = alerts.map((alert) => alert.split('\n', 1)[0]!.trim());
  for (const [i, alert] of alerts.entries()) {
    const name = names[i]!;
    expect(alert, name).toMatch(/^ {8}expr: (>-\n {10})?\S[^]*?(eeg|nodejs)/m);
    expect(alert, name).toMatch(/^ {8}labels: \{ severity: (page|warn) \}$/m);
    expect(alert, name).toMatch(/^ {10}summary: \S.*\.'?$/m);
    expect(alert, name).toContain(`runbook: docs/alerts.md#${name.toLowerCase()}\n`);
  }
  expect(await missing(namesIn(alerts.map((alert) => alert.split('annotations:')[0]).join('\n')))).toEqual([]);

  const pages = (await read('../../docs/alerts.md')).split(/^## /m).slice(1);
  expect(pages.map((page) => page.split('\n', 1)[0])).toEqual(names);
  for (const page of pages) expect(page).toMatch(/\*\*Meaning\.\*\*[^]*\*\*Look[^]*\*\*[Mm]end/);

  const tests = await read('../../test/e2e/alerts.promtool.yaml');
  const tested = [...tests.matchAll(/^ {2}- name: (.*)$/gm)].map(([, name]) => name);
  expect(tested).toEqual(names.flatMap((name) => [`${name} fires`, `${name} is quiet`]));
});
