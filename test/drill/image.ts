import { equal } from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../infra/drivers/config.ts';
import { openDatabase } from '../../infra/drivers/postgres/pool.ts';
import { balancedCaller } from '../chaos/support/balanced-caller.ts';
import { isReady } from '../chaos/support/fleet.ts';
import { newAccount } from '../support/api.ts';
import { simpleTask } from '../chaos/support/simple-tasks.ts';
import { runTool } from '../support/fetched-tool.ts';
import { startS3Server } from '../support/s3-server.ts';
import { lastingPort } from './lasting-port.ts';
import { findPrograms } from './programs.ts';
import { serverProcess } from './server-process.ts';
import { environmentOf, secrets, startPostgres, startServers } from './site.ts';

/**
 * `npm run drill:image [-- FOLDER]`: makes the image's file system (image.sh), starts an API and a worker in it as the
 * image's user, and serves one create and one prediction. FOLDER: a file system that `image.sh build` made before.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const script = fileURLToPath(new URL('image.sh', import.meta.url));
process.env['TEST_LONG'] = '1';
const programs = await findPrograms(true);
if ('missing' in programs) throw new Error(programs.missing);
const dir = await mkdtemp(join(tmpdir(), 'eeg-image-'));
const image = process.argv[2] ?? join(dir, 'image');
if (image !== process.argv[2]) {
  const from = performance.now();
  await runTool('sh', [script, 'build', image], { seconds: 600 });
  say(`Made the file system in ${((performance.now() - from) / 1000).toFixed(0)} s.`);
}
const s3 = await startS3Server();
if ('missing' in s3) throw new Error(s3.missing);
await mkdir(join(dir, 'servers'));
const postgres = await startPostgres(join(dir, 'servers'));
const servers = await startServers(programs, join(dir, 'servers'), postgres);
const environment = environmentOf(servers, s3, secrets());

async function start(main: 'api' | 'worker', portName: string): Promise<{ url: string; kill(): Promise<void> }> {
  const port = await lastingPort();
  const url = `http://127.0.0.1:${port}`;
  const env = childEnvironment({ ...environment, [portName]: String(port), HOST: '127.0.0.1' });
  const command = ['sh', script, 'run', image, 'node', `infra/main/${main}.ts`];
  const server = serverProcess(`${main} of the image`, join(dir, `${main}.log`), command, { env }, () => isReady(url));
  const from = performance.now();
  await server.start();
  say(`The ${main} of the image is ready (/readyz) after ${((performance.now() - from) / 1000).toFixed(1)} s.`);
  return { url, kill: server.kill };
}

let kills: (() => Promise<void>)[] = [];
try {
  const started = await Promise.all([start('api', 'PORT'), start('worker', 'WORKER_HEALTH_PORT')]);
  kills = started.map(({ kill }) => kill);
  const pool = await openDatabase(postgres.url);
  const { key } = await newAccount({ pool });
  await pool.end();
  const caller = balancedCaller(() => [{ url: started[0].url, ready: true }]);
  const task = simpleTask(33, 0);
  const created = await caller.send({ key, path: '/v1/task-models', body: JSON.stringify(task.create) });
  equal(created.status, 201, JSON.stringify(created.body));
  const path = `/v1/task-models/${created.body.id}/predictions`;
  const predicted = await caller.send({ key, path, body: task.one });
  equal(predicted.status, 200, JSON.stringify(predicted.body));
  say('The image served a create and a prediction as user 10001, on a root that cannot be written.');
} finally {
  await Promise.all(kills.map((kill) => kill()));
  await Promise.all([servers.temporal.kill(), servers.pooler.kill(), s3.stop()]);
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
}
process.exit(0);
