import { connectDevServer } from '../support/temporal-testing.ts';
import { createWorld } from '../workflows/support/world.ts';
import { killTwice } from './support/killer-fit.ts';
import { it } from 'vitest';

it(
  'kill -9 of the worker twice during the same fit: it fails and costs nothing, the fit beside it succeeds',
  { timeout: 200_000 },
  async () => {
    const env = await connectDevServer();
    const world = await createWorld(env, { worker: false });
    try {
      await killTwice(world, 1);
    } finally {
      await world.stop();
      await env.teardown();
    }
  },
);
