import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** Megabytes of buffers in a process whose main thread has worked for 1.5 s, left 256 MB of garbage, and then waits. */
async function buffersAfter(idleMs: number): Promise<number> {
  const script = `
    import { collectWhenIdle, growHeaps } from './infra/main/heaps.ts';
    growHeaps();
    collectWhenIdle();
    await new Promise((then) => setTimeout(then, 10));
    let kept = new Uint8Array(256e6).fill(1);
    for (const until = performance.now() + 1_500; performance.now() < until; );
    kept = null;
    await new Promise((then) => setTimeout(then, ${idleMs}));
    console.log(process.memoryUsage().arrayBuffers / 1e6);
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return Number(stdout);
}

it('an idle main thread gives its garbage back', { timeout: 60_000 }, async () => {
  expect(await buffersAfter(100)).toBeGreaterThan(250);
  expect(await buffersAfter(9_000)).toBeLessThan(10);
});
