import { spawn } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../drivers/config.ts';

export type SdkServer = 'dev-server' | 'test-server';

const firstByteSeconds = 10;
const wholeSeconds = 300;

/**
 * Lets the Temporal SDK download one of its servers to `folder` and returns the program's path, or null where that does
 * not work: no network, nothing received within 10 seconds, or the SDK's test package is not installed.
 */
export async function downloadWithSdk(
  server: SdkServer,
  folder: string,
  limits = { firstByteSeconds, wholeSeconds },
): Promise<string | null> {
  const before = await programIn(folder);
  if (before) return before;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const script = fileURLToPath(new URL('sdk-download-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, server, folder], { stdio: 'ignore', env: childEnvironment() });
  const started = performance.now();
  const watch = setInterval(() => {
    void (async () => {
      const seconds = (performance.now() - started) / 1000;
      const arrived = (await readdir(folder)).length > 0;
      if (seconds > (arrived ? limits.wholeSeconds : limits.firstByteSeconds)) child.kill('SIGKILL');
    })().catch(() => child.kill('SIGKILL'));
  }, 250);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  clearInterval(watch);
  return code === 0 ? await programIn(folder) : null;
}

async function programIn(folder: string): Promise<string | null> {
  for (const name of await readdir(folder).catch(() => [])) {
    const status = await stat(join(folder, name));
    if (status.isFile() && status.mode & 0o100 && !name.endsWith('.downloading')) return join(folder, name);
  }
  return null;
}
