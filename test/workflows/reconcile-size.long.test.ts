import { randomBytes } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { expect, it } from 'vitest';
import { workflowBundle } from '../../infra/drivers/temporal/bundle.ts';
import { createTemporalClient } from '../../infra/drivers/temporal/client.ts';
import { dataConverterOf } from '../../infra/drivers/temporal/data-converter.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { cacheDir, objectKey } from './support/world.ts';

const pageSize = 200;
/** After a restore, every model lacks its workflow. A size of 300,000 models gives six histories of the same size. */
const models = Number(process.env['MODELS'] ?? 60_000);

it(`a run that starts ${models} missing workflows has histories under 10 MB each`, { timeout: 600_000 }, async () => {
  const env = await connectDevServer();
  const { client, close } = createTemporalClient({ address: env.address, namespace: 'default', keys: [objectKey] });
  const taskQueue = `size-${randomBytes(6).toString('hex')}`;
  let healed = 0;
  const worker = await Worker.create({
    connection: env.nativeConnection,
    namespace: 'default',
    taskQueue,
    dataConverter: dataConverterOf([objectKey]),
    workflowBundle: await workflowBundle(cacheDir, new URL('../../workflows/', import.meta.url)),
    activities: {
      async reconcileModels({ found }: { found: number }) {
        healed += pageSize;
        const lines = Array.from(
          { length: 20 },
          () => `clf_${randomBytes(12).toString('hex')}: its workflow was missing`,
        );
        return {
          healed: lines,
          problems: [],
          more: pageSize - 20,
          found,
          next: healed < models ? `clf_${healed}` : null,
        };
      },
    },
  });
  const id = `reconcile-${randomBytes(6).toString('hex')}`;
  await worker.runUntil(async () => {
    const args = [{ step: 'models', at: Date.now() }];
    const report = await client.workflow.execute('reconcileStep', { workflowId: id, taskQueue, args });
    expect(report).toMatchObject({ problems: [], more: models - 50 });
  });
  const sizes: number[] = [];
  const runs: number[] = [];
  for (let run: string | undefined; ;) {
    const { raw } = await client.workflow.getHandle(id, run).describe();
    sizes.push(Number(raw.workflowExecutionInfo!.historySizeBytes));
    runs.push(Number(raw.workflowExecutionInfo!.historyLength));
    const history = await client.workflow.getHandle(id, run).fetchHistory();
    run = history.events![0]!.workflowExecutionStartedEventAttributes!.continuedExecutionRunId || undefined;
    if (run === undefined) break;
  }
  expect(sizes.length).toBe(Math.ceil(models / pageSize / 250));
  expect(Math.max(...sizes)).toBeLessThan(10_000_000);
  expect(Math.max(...runs)).toBeLessThan(10_000);
  await close();
  await env.teardown();
  process.stderr.write(`${sizes.length} histories, the largest ${(Math.max(...sizes) / 1e6).toFixed(1)} MB\n`);
});
