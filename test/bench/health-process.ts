import { monitorEventLoopDelay } from 'node:perf_hooks';
import { newAccount, startTestApi } from '../support/api.ts';
import { pollHealth } from '../support/large-bodies.ts';

/** The processes that `health.ts` starts: `serve` is an API of its own, `poll ADDRESS` asks it for its health. */
async function serve(): Promise<void> {
  const api = await startTestApi();
  const { key } = await newAccount(api.database);
  process.send!({ address: await api.app.listen({ port: 0 }), key });
  const loop = monitorEventLoopDelay({ resolution: 2 });
  process.on('message', (message) => {
    if (message === 'begin') {
      loop.enable();
    } else {
      process.send!({ max: loop.max / 1e6, p99: loop.percentile(99) / 1e6 });
      void api.close().then(() => process.exit(0));
    }
  });
}

async function poll(address: string): Promise<void> {
  await new Promise((resolve) => process.once('message', resolve));
  let done = false;
  process.once('message', () => (done = true));
  process.send!(await pollHealth(address, () => done));
  process.disconnect();
}

const roles: Readonly<Record<string, () => Promise<void>>> = { serve, poll: () => poll(process.argv[3]) };
await roles[process.argv[2]]();
