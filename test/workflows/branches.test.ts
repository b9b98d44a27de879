import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { workflowBundle } from '../../infra/drivers/temporal/bundle.ts';
import { createTemporalClient, type TemporalClient } from '../../infra/drivers/temporal/client.ts';
import { silentLog } from '../../infra/observe/log.ts';
import { installRuntime } from '../../infra/drivers/temporal/runtime.ts';
import { heavyQueueOf, reconcileSteps } from '../../infra/contract/workflow-names.ts';
import { registerSearchAttributes } from '../../infra/drivers/temporal/search-attributes.ts';
import { connectDevServer, createTimeSkippingEnvironment } from '../support/temporal-testing.ts';
import { branches } from './support/branches.ts';
import type { Branch } from './support/branch-steps.ts';
import { referenceBranches } from './support/reference-branches.ts';
import { historyToText } from './support/history-file.ts';
import { modelId } from './support/models.ts';
import { objectKey } from './support/world.ts';

installRuntime(silentLog);

/** `RECORD_HISTORIES=1` writes the histories anew; see `workflows/README.md` for when. */
const record = process.env['RECORD_HISTORIES'] === '1';

let env: TestWorkflowEnvironment;
let temporal: TemporalClient;
let bundle: { codePath: string };

beforeAll(async () => {
  bundle = await workflowBundle(join(tmpdir(), 'eeg-test-bundles'), new URL('../../workflows/', import.meta.url));
});
/** A server each for those that wait for days: time is not skipped while another's work waits for its worker. */
const openServer = ({ takesDays }: Branch): Promise<TestWorkflowEnvironment> =>
  takesDays ? createTimeSkippingEnvironment() : connectDevServer();
afterEach(async () => {
  await temporal?.close();
  await env?.teardown();
});

async function historiesOf(client: Client, id: string) {
  const latest = await client.workflow.getHandle(id).fetchHistory();
  const first = latest.events![0]!.workflowExecutionStartedEventAttributes!.firstExecutionRunId!;
  const entity = await client.workflow.getHandle(id, first).fetchHistory();
  const children = entity.events!.flatMap(
    (event) => event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowId ?? [],
  );
  const fits = await Promise.all(children.map((child) => client.workflow.getHandle(child).fetchHistory()));
  return [entity, ...fits];
}

describe('every way through the workflows, with mocked activities', () => {
  it.each([...branches, ...referenceBranches])('$name: $what', async (branch) => {
    const { name, activities, drive, calls, result } = branch;
    env = await openServer(branch);
    temporal = createTemporalClient({ address: env.address, namespace: 'default', keys: [objectKey] });
    await registerSearchAttributes(temporal.client, 'default');
    const seen: string[] = [];
    const id = modelId();
    const taskQueue = `branch-${id}`;
    const { client } = temporal;
    const usual = {
      connection: env.nativeConnection,
      namespace: 'default',
      activities: activities(seen),
      // A cancellation is heard with the next heartbeat that is sent.
      maxHeartbeatThrottleInterval: '200 milliseconds' as const,
    };
    const worker = await Worker.create({ ...usual, taskQueue, workflowBundle: bundle });
    const heavy = await Worker.create({ ...usual, taskQueue: heavyQueueOf(taskQueue) });
    const scene = async (): Promise<void> => {
      const stage = {
        client: env.client,
        taskQueue,
        now: async () => env.currentTimeMs(),
        sleep: async (ms: number) => env.sleep(ms),
      };
      const answer = await drive(stage, id);
      if (result !== undefined) expect(answer).toEqual(result);
    };
    await heavy.runUntil(() => worker.runUntil(scene));
    const once = seen.filter((call, at) => call !== seen[at - 1]);
    expect(branch.inAnyOrder ? once.toSorted() : once).toEqual(calls);
    for (const [index, history] of (await historiesOf(client, id)).entries()) {
      await Worker.runReplayHistory({ workflowBundle: bundle }, history, id);
      const child = index === 0 ? '' : branch.inAnyOrder ? `.${reconcileSteps[index - 1]}` : '.fit';
      const file = new URL(`./histories/${name}${child}.json`, import.meta.url);
      if (record) await writeFile(file, historyToText(history));
    }
  });
});
