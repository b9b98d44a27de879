import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { childEnvironment } from '../drivers/config.ts';
import { clock, type Progress } from './progress.ts';

/** Pinned tag: later tags contain a `replace` directive, which `go install` refuses. */
export const temporalCliVersion = 'v1.5.1';
const packagePath = `github.com/temporalio/cli/cmd/temporal@${temporalCliVersion}`;
/** Hash of the module's files in Go's checksum database. */
export const temporalCliHash = 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=';
const usualPackages = 1_300;

/** Builds the Temporal dev server with Go at `target`, atomically. The first build takes several minutes. */
export async function buildTemporalCli(go: string, target: string, progress: Progress): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dirname(target), 'build-'));
  const started = performance.now();
  const elapsed = (): string => clock((performance.now() - started) / 1000);
  progress.line(
    `Building the Temporal dev server once (go install ${packagePath}); this takes about 3 to 8 minutes and is ` +
      `kept in ${dirname(target)}.`,
  );
  try {
    const child = spawn(go, ['install', '-v', '-ldflags=-s -w', packagePath], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: childEnvironment({ GOBIN: folder, GOFLAGS: undefined }),
    });
    const onExit = (): void => {
      child.kill();
    };
    process.once('exit', onExit);
    let downloaded = 0;
    let compiled = 0;
    const tail: string[] = [];
    const reportProgress = (): void => {
      const state = compiled
        ? `${compiled} of about ${usualPackages} packages compiled`
        : `${downloaded} modules downloaded`;
      progress.status(`Building the Temporal dev server: ${state}, ${elapsed()}`);
    };
    const tick = setInterval(reportProgress, 1000);
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.startsWith('go: downloading ')) downloaded++;
      else if (/^[\w.-]+(\/[\w.~-]+)*$/.test(line)) compiled++;
      else tail.push(line);
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }).finally(() => {
      clearInterval(tick);
      process.off('exit', onExit);
    });
    if (code !== 0) throw new Error(`go install ended with exit code ${code}: ${tail.slice(-5).join(' | ')}`);
    await requirePinned(go, join(folder, 'temporal'));
    await chmod(join(folder, 'temporal'), 0o755);
    await rename(join(folder, 'temporal'), target);
    progress.line(`Built the Temporal dev server in ${elapsed()}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws if the program was not built from the files of the pinned version; Go writes their hash into the program. */
async function requirePinned(go: string, program: string): Promise<void> {
  const { stdout } = await promisify(execFile)(go, ['version', '-m', program], { env: childEnvironment() });
  const [, module, version, hash] = /^\s*mod\s+(\S+)\s+(\S+)\s+(\S+)/m.exec(stdout) ?? [];
  if (version !== temporalCliVersion || hash !== temporalCliHash)
    throw new Error(
      `what Go built is ${module ?? 'no module'} ${version ?? ''} ${hash ?? ''}, where ${temporalCliVersion} ` +
        `${temporalCliHash} is pinned`,
    );
}
