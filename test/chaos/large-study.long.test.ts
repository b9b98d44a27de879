import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { limits } from '../../infra/contract/limits.ts';
import { fitSize } from '../../ml/train/fit-size.ts';
import type { LargeStudy } from '../support/large-study-process.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../support/large-study-process.ts', import.meta.url));
const gibibyte = 1024 ** 3;

it(
  'a study of 200,000 trials is stored and fitted within 2 GiB, on a sample that the report names',
  { timeout: 600_000 },
  async () => {
    const { stdout } = await run(process.execPath, [program, '49', '4096', '120']);
    const { trials, estimate, before, peak, seconds, report } = JSON.parse(stdout) as LargeStudy;
    expect(trials).toBe(200_704);
    expect(before).toBeLessThan(0.75 * gibibyte);
    expect(peak).toBeLessThan(2 * gibibyte);
    expect(estimate.bytes).toBeGreaterThan(fitSize.base);
    // Reading and merging the batches is not part of the estimate of the fit.
    expect(peak - before).toBeLessThan(1.5 * (estimate.bytes + 2 * estimate.threadBytes));
    expect(seconds).toBeLessThan(4 * estimate.seconds);
    expect(estimate.seconds).toBeLessThan(4 * seconds);
    expect(report).toMatchObject({ trials: limits.trialsPerFit, trials_sent: trials });
    expect(report.warnings.join(' ')).toContain(`a sample of 16,384 of the 200,704 trials`);
  },
);
