import { readdir, readFile } from 'node:fs/promises';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace-node';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workflowBundle } from '../../infra/drivers/temporal/bundle.ts';
import { traceTemporal } from '../../infra/drivers/temporal/observed.ts';
import { installRuntime } from '../../infra/drivers/temporal/runtime.ts';
import { silentLog } from '../../infra/observe/log.ts';
import { startOtlp, type Otlp } from '../../infra/observe/otlp.ts';
import { historyFromText } from './support/history-file.ts';
import { cacheDir } from './support/world.ts';

installRuntime(silentLog);

const folder = new URL('./histories/', import.meta.url);
const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();

let otlp: Otlp;
let bundle: { codePath: string };
beforeAll(async () => {
  otlp = startOtlp({ service: 'eeg-test', exporter: new InMemorySpanExporter() });
  await traceTemporal(otlp);
  bundle = await workflowBundle(cacheDir, new URL('../../workflows/', import.meta.url));
});
afterAll(async () => {
  await traceTemporal(null);
  await otlp.stop();
});

it('bundles the interceptors of traces', () => expect(bundle.codePath).toMatch(/-traced\.js$/));

it.each(names)('%s replays with traces, too', async (name) => {
  const history: unknown = historyFromText(await readFile(new URL(name, folder), 'utf8'));
  await Worker.runReplayHistory({ workflowBundle: bundle }, history);
});
