import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../infra/drivers/config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Program {
  readonly child: ChildProcess;
  /** All it has written so far, stdout and stderr together. */
  readonly output: () => string;
  /** Waits for a match in the output; throws with the output when the program ends first or after `seconds`. */
  says(pattern: RegExp, seconds?: number): Promise<RegExpMatchArray>;
  readonly exit: Promise<number | null>;
  /** Ctrl-C as a terminal sends it: to the whole process group. */
  interrupt(): Promise<number | null>;
}

/**
 * Runs the npm script `name` of this checkout, or of the one in `folder`, in a process group of its own. `members`: the
 * file of a control group, which the program joins before it begins.
 */
export function runMain(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  folder = root,
  members: string | null = null,
): Program {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const joining = members === null ? '' : 'echo $$ > "$0"; ';
  const child = spawn('sh', ['-c', `${joining}${scripts[name]} "$@"`, members ?? name, ...args], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment({
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      PORT: '0',
      DATABASE_URL: undefined,
      TEMPORAL_ADDRESS: undefined,
      NODE_OPTIONS: undefined,
      WARM_UP: 'off',
      ...environment,
    }),
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code));
  });
  return {
    child,
    exit,
    output: () => written,
    async says(pattern, seconds = 120) {
      for (const until = performance.now() + seconds * 1000; ; await sleep(50)) {
        const match = written.match(pattern);
        if (match) return match;
        if (child.exitCode !== null || child.signalCode !== null || performance.now() > until)
          throw new Error(`The program did not say ${pattern}. It said:\n${written}`);
      }
    },
    async interrupt() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGINT');
      return await exit;
    },
  };
}

/** A folder for DATA_DIR; `remove` also ends what still runs on it. */
export async function newDataDir(): Promise<{
  path: string;
  processes(): Promise<number[]>;
  killAll(): Promise<void>;
  remove(): Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'eeg-e2e-'));
  const processes = async (): Promise<number[]> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const found = await Promise.all(
      pids.map(async (pid) => {
        const [command, environment] = await Promise.all(
          ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '')),
        );
        return command.includes(path) || environment.includes(`DATA_DIR=${path}`);
      }),
    );
    return pids.filter((pid, i) => found[i] && pid !== process.pid);
  };
  /** kill -9 of everything that runs on the folder. */
  const killAll = async (): Promise<void> => {
    for (let pids = await processes(); pids.length; pids = await processes()) {
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
      await sleep(50);
    }
  };
  return {
    path,
    processes,
    killAll,
    async remove() {
      await killAll();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** One admin command on DATA_DIR; its JSON object. */
export async function admin<T>(dataDir: string, ...args: string[]): Promise<T> {
  const program = runMain('admin', args, { DATA_DIR: dataDir });
  if ((await program.exit) !== 0) throw new Error(program.output());
  return JSON.parse(program.output()) as T;
}

/** An account and a live key of it, made by the admin command. */
export async function adminKey(dataDir: string): Promise<{ key: string; accountId: string }> {
  const { account_id: accountId } = await admin<{ account_id: string }>(
    dataDir,
    'account',
    'create',
    '--email',
    `${Date.now()}@example.org`,
    '--password',
    'long enough',
    '--accept-terms',
  );
  const { key } = await admin<{ key: string }>(dataDir, 'key', 'create', '--account', accountId, '--mode', 'live');
  return { key, accountId };
}
