import { createHash } from 'node:crypto';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childEnvironment, loadConfig } from '../../infra/drivers/config.ts';
import { withLock } from '../../infra/embedded/lock.ts';
import { freePort } from '../../infra/embedded/ports.ts';
import { downloadPinned, type PinnedArchive } from '../../infra/embedded/pinned-download.ts';

const run = promisify(execFile);
const artifact = 'io.temporal:temporal-test-server:1.38.0';
/** SHA-256 of `sha256sum *` over its files and those it needs. */
const artifactDigest = 'bb7a46081eddc18177c24a06edde11c2776fe6707fb31f5a76f6f927a78ee9ec';
const [groupId, artifactId, version] = artifact.split(':');
const published = `${artifactId}_${version}_linux_amd64`;
/** The same as a program of its own, as its project publishes it for Linux on x64. */
const archive: PinnedArchive = {
  url: `https://github.com/temporalio/sdk-java/releases/download/v${version}/${published}.tar.gz`,
  sha256: '41df834fe8e1ac59619e13908f41b63e4d1054f37634a2f89033d8cf6af71b96',
  member: `${published}/${artifactId}`,
};
const javaOptions = ['-XX:+IgnoreUnrecognizedVMOptions', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const quiet = { line: () => undefined, status: () => undefined };

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version>
  </dependency></dependencies>
</project>
`;

/**
 * Program of the time-skipping test server: one kept from an earlier run, the published one, else the Java form
 * from Maven behind a small script. Kept in the per-user cache folder.
 */
export async function temporalTestServer(): Promise<string> {
  const { cacheDir, path } = loadConfig();
  const folder = join(cacheDir, `${artifactId}-${version}-archived`);
  const script = join(folder, 'test-server');
  if (await exists(script)) return script;
  return await withLock(
    join(cacheDir, 'temporal-test-server.lock'),
    () => undefined,
    async () => {
      if (await exists(script)) return script;
      if (`${process.platform}-${process.arch}` === 'linux-x64' && (await downloadPinned(archive, script, quiet)))
        return script;
      for (const program of ['mvn', 'java']) {
        const found = await Promise.all(path.map((each) => exists(join(each, program))));
        if (!found.includes(true))
          throw new Error(
            `The time-skipping Temporal server could not be downloaded, and ${program} is not on PATH ` +
              `(${path.join(delimiter)}), so it cannot come from Maven either. Install Java 11 or later and Maven.`,
          );
      }
      await mkdir(cacheDir, { recursive: true, mode: 0o700 });
      const draft = await mkdtemp(join(cacheDir, 'test-server-'));
      try {
        await writeFile(join(draft, 'pom.xml'), pom);
        await run(
          'mvn',
          [
            '-B',
            '-q',
            '-f',
            join(draft, 'pom.xml'),
            'dependency:copy-dependencies',
            `-DoutputDirectory=${join(draft, 'lib')}`,
          ],
          { env: childEnvironment(), timeout: 200_000 },
        );
        await requirePinned(join(draft, 'lib'));
        const jars = (await readdir(join(draft, 'lib'))).toSorted().map((name) => join(folder, 'lib', name));
        await rename(draft, folder);
        const program = ['-cp', jars.join(delimiter), 'io.temporal.testserver.TestServer'];
        const classes = join(folder, 'classes.jsa');
        await archiveClasses([...javaOptions, `-XX:ArchiveClassesAtExit=${classes}`, ...program]);
        const command = ['java', ...javaOptions, `-XX:SharedArchiveFile=${classes}`, ...program];
        const text = `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(' ')} "$@"\n`;
        await writeFile(`${script}.draft`, text, { mode: 0o755 });
        await rename(`${script}.draft`, script);
      } finally {
        await rm(draft, { recursive: true, force: true });
      }
      return script;
    },
  );
}

/**
 * Runs the server once until it listens, so that Java writes down the classes it loaded: reading them there, it starts
 * in a third of the time, and the SDK waits five seconds. A Java that cannot (before 13) does without.
 */
async function archiveClasses(args: readonly string[]): Promise<void> {
  const port = await freePort();
  const child = spawn('java', [...args, String(port)], { stdio: 'ignore', env: childEnvironment() });
  const ended = once(child, 'exit');
  for (const until = performance.now() + 60_000; child.exitCode === null && performance.now() < until; await sleep(50))
    if (await listens(port)) break;
  child.kill();
  await ended;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Throws unless the folder holds exactly the pinned files. */
async function requirePinned(lib: string): Promise<void> {
  const digest = createHash('sha256');
  for (const name of (await readdir(lib)).toSorted()) {
    const hash = createHash('sha256').update(await readFile(join(lib, name)));
    digest.update(`${hash.digest('hex')}  ${name}\n`);
  }
  const found = digest.digest('hex');
  if (found !== artifactDigest) throw new Error(`Maven's ${artifact} hashes to ${found}, not to ${artifactDigest}.`);
}

const exists = async (path: string): Promise<boolean> =>
  await access(path).then(
    () => true,
    () => false,
  );
