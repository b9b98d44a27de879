import { makeCurrent, readDeployment, releaseFrom } from '../drivers/temporal/deployments.ts';
import type { Command } from './command.ts';
import { required } from './read.ts';

/** Builds of workers (DEPLOYMENT_BUILD), as Temporal knows them. */
export const deploymentCommands: Readonly<Record<string, Command>> = {
  'deployment list': {
    usage: '',
    options: {},
    run: async ({ temporal }) => ({ ...(await readDeployment(await temporal())) }),
  },
  'deployment current': {
    usage: '--build B   (new workflows go to its workers, which must run)',
    options: { build: { type: 'string' } },
    async run({ temporal }, o) {
      const client = await temporal();
      await makeCurrent(client, required(o, 'build'));
      return { ...(await readDeployment(client)) };
    },
  },
  'deployment release': {
    usage: '--build B   (what began with it goes on with the current build; for one whose workers are gone)',
    options: { build: { type: 'string' } },
    async run({ temporal }, o) {
      const build = required(o, 'build');
      return { build, released: await releaseFrom(await temporal(), build) };
    },
  },
};
