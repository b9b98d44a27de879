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
import { historyNames, historyOf, replay } from './support/replay.ts';

installRuntime(silentLog);

let bundle: { codePath: string };
beforeAll(async () => {
  bundle = await workflowBundle(join(tmpdir(), 'eeg-test-bundles'), new URL('../../workflows/', import.meta.url));
});

describe('workflows that an earlier build began', () => {
  it('have a recorded history of every branch', () => {
    for (const { name } of [...branches, ...referenceBranches]) expect(historyNames).toContain(`${name}.json`);
  });

  it.each(historyNames)('%s replays on the present code', (name) => replay(bundle, name));

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
