import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, it } from 'vitest';
import { workflowBundle } from '../../infra/drivers/temporal/bundle.ts';
import { silentLog } from '../../infra/observe/log.ts';
import { installRuntime } from '../../infra/drivers/temporal/runtime.ts';
import { branches } from './support/branches.ts';
import { referenceBranches } from './support/reference-branches.ts';
import { historyFromText } from './support/history-file.ts';

installRuntime(silentLog);

/** The part of a history that has the id of its workflow, from which ids of children are made. */
interface HistoryOfRun {
  readonly events: readonly { readonly workflowExecutionStartedEventAttributes?: { readonly workflowId?: string } }[];
}

const folder = new URL('./histories/', import.meta.url);
const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
const historyOf = async (name: string): Promise<unknown> =>
  historyFromText(await readFile(new URL(name, folder), 'utf8'));

let bundle: { codePath: string };
beforeAll(async () => {
  bundle = await workflowBundle(join(tmpdir(), 'eeg-test-bundles'), new URL('../../workflows/', import.meta.url));
});

describe('workflows that an earlier build began', () => {
  it('have a recorded history of every branch', () => {
    for (const { name } of [...branches, ...referenceBranches]) expect(names).toContain(`${name}.json`);
  });

  it.each(names)('%s replays on the present code', async (name) => {
    const history = (await historyOf(name)) as HistoryOfRun;
    const id = history.events[0]!.workflowExecutionStartedEventAttributes?.workflowId ?? undefined;
    await Worker.runReplayHistory({ workflowBundle: bundle }, history, id);
  });

  it('fail if a step is added without patched()', async () => {
    const changed = await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('./changed/index.ts', import.meta.url)),
      logger: new DefaultLogger('ERROR'),
    });
    await expect(Worker.runReplayHistory({ workflowBundle: changed }, await historyOf('renewal.json'))).rejects.toThrow(
      DeterminismViolationError,
    );
  });
});
