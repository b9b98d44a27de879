import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../infra/embedded/ports.ts';
import { startTemporalServer, type TemporalServer } from '../../infra/embedded/temporal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { deployTools, type ComposeModel } from '../support/deploy-tools.ts';
import { runTool, warnMissing } from '../support/fetched-tool.ts';
import { createBody, nested } from '../support/requests.ts';
import { s3StartMs } from '../support/s3-programs.ts';
import { startS3Server, type S3Server } from '../support/s3-server.ts';

/**
 * What containers would do, as far as it goes without them: the steps of the container file in a folder, and there the
 * processes of compose.yaml with exactly their environment, as a user who cannot write to it.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const deploy = join(root, 'infra/deploy');
const user = process.getuid?.() === 0 ? { uid: 10_001, gid: 10_001 } : {};
const secrets = {
  POSTGRES_PASSWORD: 'unused',
  S3_ACCESS_KEY: 'unused',
  S3_SECRET_KEY: 'unused',
  DATA_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  SESSION_SECRET: randomBytes(32).toString('base64'),
  GRAFANA_PASSWORD: 'unused',
};

let folder: string;
let model: ComposeModel | null = null;
let database: TestDatabase;
let temporal: TemporalServer;
let store: S3Server;
const children: ChildProcess[] = [];
const image = (): string => join(folder, 'app');

/** The folders that the container file copies, and what it installs; false where npm's registry cannot be had. */
async function build(): Promise<boolean> {
  const file = await readFile(join(deploy, 'Containerfile'), 'utf8');
  const copied = [...file.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names.split(' '));
  for (const name of copied) await cp(join(root, name), join(image(), name), { recursive: true });
  const [, install] = /^RUN (npm ci .*)$/m.exec(file)!;
  try {
    const env = { npm_config_prefer_offline: 'true' };
    await runTool('sh', ['-c', install], { cwd: image(), env, seconds: 420 });
  } catch (error) {
    if (!/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT/.test((error as Error).message)) throw error;
    warnMissing('what npm installs into the image', (error as Error).message.slice(0, 300));
    return false;
  }
  await runTool('chmod', ['-R', 'a-w,a+rX', image()]);
  return true;
}

beforeAll(async () => {
  const { compose } = await deployTools();
  const s3 = await startS3Server();
  if (!compose) return;
  if ('missing' in s3) return warnMissing('an S3 server', s3.missing);
  store = s3;
  folder = await mkdtemp(join(tmpdir(), 'eeg-image-'));
  await chmod(folder, 0o755);
  await mkdir(image());
  if (!(await build())) return;
  database = await createTestDatabase();
  const cli = process.env['TEMPORAL_CLI']!;
  temporal = await startTemporalServer({
    cli,
    dir: join(folder, 'temporal'),
    keep: false,
    namespace: 'eeg',
  });
  model = await compose(join(deploy, 'compose.yaml'), secrets);
}, 1_800_000 + s3StartMs);
afterAll(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await Promise.all([database?.drop(), temporal?.stop(), store?.stop()]);
  if (!folder) return;
  await runTool('chmod', ['-R', 'u+w', folder]);
  await rm(folder, { recursive: true, force: true });
});

/** The environment of a service in compose.yaml, its addresses those of this test, and that of the image below it. */
async function environmentOf(name: string): Promise<Record<string, string>> {
  const given = model!.services[name].environment!;
  const cache = join(folder, `cache-${name}`);
  await mkdir(cache, { recursive: true });
  if (user.uid !== undefined) await chown(cache, user.uid, user.gid);
  const here: Record<string, string> = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    OBJECT_STORE_URL: store.url,
    ...store.env,
    TRUSTED_PROXIES: '127.0.0.1',
    PORT: String(await freePort()),
    WORKER_HEALTH_PORT: String(await freePort()),
  };
  const replaced = Object.fromEntries(Object.keys(given).map((each) => [each, here[each] ?? given[each]]));
  const file = await readFile(join(deploy, 'Containerfile'), 'utf8');
  const fromImage = Object.fromEntries(
    [...file.matchAll(/^(?:ENV| {3}) ([A-Z_]+)=(\S+)(?: \\)?$/gm)].map(([, each, value]) => [
      each,
      value.replaceAll(/(^|:)\/app/g, `$1${image()}`).replace('/var/cache/eeg', cache),
    ]),
  );
  return { ...fromImage, ...replaced, ...store.env };
}

function run(command: readonly string[], env: Record<string, string>): { child: ChildProcess; said: () => string } {
  const [program, ...args] = command;
  const path = join(image(), 'node_modules/node/bin', program);
  const child = spawn(path, args, { cwd: image(), env, ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { child, said: () => said };
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    if (child.exitCode !== null) resolve(child.exitCode);
    else child.once('close', resolve);
  });

async function whole(command: readonly string[], env: Record<string, string>): Promise<string> {
  const { child, said } = run(command, env);
  expect(await ended(child), said()).toBe(0);
  return said();
}

it(
  'starts an API, a light and a heavy worker as compose.yaml does, from a tree that they cannot write, and serves',
  {
    timeout: 600_000,
  },
  async (test) => {
    if (!model) {
      test.skip();
      return;
    }
    const before = (await readdir(image(), { recursive: true })).length;
    const started = await Promise.all(
      ['api-1', 'worker-light', 'worker-heavy-1'].map(async (name) => {
        const { command, healthcheck } = model!.services[name];
        const environment = await environmentOf(name);
        const listens = new URL(healthcheck!.test.at(-1)!);
        listens.port = environment[name.startsWith('api') ? 'PORT' : 'WORKER_HEALTH_PORT'];
        return { name, environment, listens, check: healthcheck!.test.slice(1, -1), ...run(command!, environment) };
      }),
    );
    for (const { name, environment, listens, check, said, child: main } of started)
      for (const until = Date.now() + 400_000; ; await sleep(1_000)) {
        expect(main.exitCode, `${name}: ${said()}`).toBeNull();
        if ((await ended(run([...check, listens.href], environment).child)) === 0) break;
        expect(Date.now(), `${name} is not ready: ${said()}`).toBeLessThan(until);
      }

    const [api, light] = started;
    const admin = async (...args: string[]) =>
      JSON.parse(await whole(['node', 'infra/main/admin.ts', ...args], light.environment)) as Record<string, string>;
    const { account_id: account } = await admin(
      'account',
      'create',
      '--email',
      'a@example.org',
      '--password',
      'long enough',
      '--accept-terms',
    );
    await admin('account', 'credit', '--account', account, '--usd', '20');
    const { key } = await admin('key', 'create', '--account', account, '--mode', 'live');
    const send = async (path: string, body: unknown, headers: Record<string, string>) =>
      await fetch(new URL(path, api.listens), {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      });
    const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
    const created = await send('/v1/task-models', createBody(), forwarded);
    expect(created.status, await created.clone().text()).toBe(201);
    const { id } = (await created.json()) as { id: string };
    const trial = { x: nested(2), sampling_rate_hz: 100, units: 'uV', channels: ['C3', 'Cz', 'C4'] };
    const predicted = await send(`/v1/task-models/${id}/predictions`, trial, forwarded);
    expect(predicted.status, await predicted.clone().text()).toBe(200);
    const plain = { ...forwarded, 'x-forwarded-proto': 'http' };
    expect((await send(`/v1/task-models/${id}/predictions`, trial, plain)).status).toBe(422);

    for (const { child } of started) child.kill('SIGTERM');
    for (const { name, child, said } of started) expect(await ended(child), `${name}: ${said()}`).toBe(0);
    expect((await readdir(image(), { recursive: true })).length).toBe(before);
  },
);
