/**
 * `node infra/deploy/check-health.ts URL`: a health check for images without curl. Exit 0 where the address answers 200
 * within 4 seconds, else 1 with what it said.
 */
const [url] = process.argv.slice(2);
const said = await fetch(url ?? '', { signal: AbortSignal.timeout(4_000) }).then(
  async (response) => (response.status === 200 ? null : `${response.status} ${await response.text()}`),
  (error: unknown) => String((error as Error).cause ?? error),
);
if (said !== null) {
  process.stderr.write(`${said.slice(0, 500)}\n`);
  process.exitCode = 1;
}
