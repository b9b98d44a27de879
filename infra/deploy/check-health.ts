/**
 * `node infra/deploy/check-health.ts URL`: a health check for images without curl. Exits with 0 if the address answers
 * 200 within 4 seconds, else with 1 and the answer.
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
