import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { childEnvironment } from '../../infra/drivers/config.ts';
import { freePort, isFree } from '../../infra/embedded/ports.ts';
import { s3Program, s3Region, type S3Program } from './s3-programs.ts';

/** An S3 server of its own, with one bucket. */
export interface S3Server {
  readonly name: S3Program['name'];
  /** Stored objects survive `kill` and `restart`, and are in `folder`; signatures are checked. */
  readonly durable: boolean;
  /** `OBJECT_STORE_URL` for the bucket, with a prefix. */
  readonly url: string;
  readonly endpoint: string;
  readonly bucket: string;
  /** Environment variables of a process that uses it: only its credentials. */
  readonly env: Readonly<Record<string, string>>;
  /** Everything that it stores. */
  readonly folder: string;
  /** Kills the process without a shutdown. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  restart(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

const bucket = 'eeg-objects';
const prefix = 'service/one';

/**
 * Starts an S3 server on a free port. Where none can be had: the reason, for `warnMissing`. The first call of a machine
 * may take `s3StartMs`.
 */
export async function startS3Server(): Promise<S3Server | { readonly missing: string }> {
  const program = await s3Program();
  if ('missing' in program) return program;
  const base = await mkdtemp(join(tmpdir(), 's3-'));
  const keys = {
    accessKeyId: `test${randomBytes(6).toString('hex')}`,
    secretAccessKey: randomBytes(20).toString('hex'),
  };
  const none = join(base, 'none');
  const env = {
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: none,
    AWS_SHARED_CREDENTIALS_FILE: none,
  };
  const folder = join(base, 'data');
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  await mkdir(folder);
  // Attributes of files hold what the server knows of an object; where there are none, a folder beside them.
  let metadata: string | null = null;
  let child: ChildProcess | null = null;

  const start = async (): Promise<boolean> => {
    const started = spawn(program.command, program.args({ port, folder, metadata }), {
      stdio: 'ignore',
      env: childEnvironment({ ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey }),
    });
    const onExit = (): void => void started.kill('SIGKILL');
    process.once('exit', onExit);
    started.once('exit', () => process.off('exit', onExit));
    child = started;
    while (started.exitCode === null && started.signalCode === null) {
      if (!(await isFree(port))) return true;
      await sleep(50);
    }
    return false;
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const stop = async (): Promise<void> => {
    await kill();
    await rm(base, { recursive: true, force: true });
  };
  const restart = async (): Promise<void> => {
    await kill();
    if (!(await start())) throw new Error(`${program.name} ended when it was started again on port ${port}.`);
  };

  if (!(await start())) {
    metadata = join(base, 'metadata');
    await mkdir(metadata);
    if (!(await start())) {
      await stop();
      return { missing: `${program.name} ended at once` };
    }
  }
  const client = new S3Client({ region: s3Region, endpoint, forcePathStyle: true, credentials: keys, maxAttempts: 5 });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  const url = `s3://${bucket}/${prefix}?region=${s3Region}&endpoint=${encodeURIComponent(endpoint)}`;
  return { name: program.name, durable: program.durable, url, endpoint, bucket, env, folder, kill, restart, stop };
}
