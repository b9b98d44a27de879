import { InMemorySpanExporter } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workflowBundle } from '../../infra/drivers/temporal/bundle.ts';
import { traceTemporal } from '../../infra/drivers/temporal/observed.ts';
import { installRuntime } from '../../infra/drivers/temporal/runtime.ts';
import { silentLog } from '../../infra/observe/log.ts';
import { startOtlp, type Otlp } from '../../infra/observe/otlp.ts';
import { historyNames, replay } from './support/replay.ts';
import { cacheDir } from './support/world.ts';

installRuntime(silentLog);

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

it.each(historyNames)('%s replays with traces, too', (name) => replay(bundle, name));
