import { join } from 'node:path';
import { exists, fetchedTool, fromPyPI, runTool } from './fetched-tool.ts';
import { loadConfig } from '../../infra/drivers/config.ts';

/** A program that serves S3, and how it is started. */
export interface S3Program {
  readonly name: 'versitygw' | 'moto';
  /** What it stores outlives its process. It asks for signatures, and refuses strangers. */
  readonly durable: boolean;
  readonly command: string;
  args(at: { readonly port: number; readonly folder: string; readonly metadata: string | null }): string[];
}

const versity = { version: '1.8.0', package: 'github.com/versity/versitygw/cmd/versitygw' };
/** `moto[server]` brings what other services of AWS need, too. */
const moto = { version: '5.2.5', packages: ['moto[s3]==5.2.5', 'flask', 'flask-cors'] };

export const s3Region = 'us-east-1';

/** Longest that a first call may take: Go builds the server once. For the `beforeAll` of tests. */
export const s3StartMs = 900_000;

/**
 * The most faithful S3 server that can be had here: versitygw, which keeps objects in a folder and knows conditional
 * writes, checksums and multipart uploads, once Go has built it (`npm run test:long` builds it, in one to four
 * minutes; `npm test` takes it where it was built before); else moto from PyPI, which keeps everything in memory and
 * believes every signature.
 */
export async function s3Program(): Promise<S3Program | { readonly missing: string }> {
  const reasons: string[] = [];
  const folder = join(loadConfig().cacheDir, `versitygw-${versity.version}`);
  if (process.env['TEST_LONG'] === '1' || (await exists(join(folder, 'complete')))) {
    const built = await fetchedTool(`versitygw-${versity.version}`, async (target) => {
      await runTool('go', ['install', '-ldflags=-s -w', `${versity.package}@v${versity.version}`], {
        env: { GOBIN: target, GOFLAGS: '' },
        seconds: 800,
      });
    });
    if ('folder' in built) return versitygw(join(built.folder, 'versitygw'));
    reasons.push(built.missing);
  }
  const fetched = await fetchedTool(`moto-${moto.version}`, fromPyPI(...moto.packages));
  if ('folder' in fetched) return motoServer(join(fetched.folder, 'bin', 'moto_server'));
  return { missing: [...reasons, fetched.missing].join('; ') };
}

const serving = ['--region', s3Region, '--keep-alive', '--quiet', 'posix'];

const versitygw = (command: string): S3Program => ({
  name: 'versitygw',
  durable: true,
  command,
  args: ({ port, folder, metadata }) => [
    '--port',
    `127.0.0.1:${port}`,
    ...serving,
    ...(metadata ? ['--sidecar', metadata] : []),
    folder,
  ],
});

const motoServer = (command: string): S3Program => ({
  name: 'moto',
  durable: false,
  command,
  args: ({ port }) => ['-H', '127.0.0.1', '-p', String(port)],
});
