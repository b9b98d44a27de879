import { countUnfinished, makeCurrent, readDeployment, releaseFrom } from '../../drivers/temporal/deployments.ts';
import type { Command } from './command.ts';
import { AdminError, required } from './options.ts';

/** Shows and changes builds of workers (DEPLOYMENT_BUILD) in Temporal. */
export const deploymentCommands: Readonly<Record<string, Command>> = {
  'deployment list': {
    usage: '(with how many fits of each build have not ended)',
    options: {},
    async run({ temporal }) {
      const client = await temporal();
      const deployment = await readDeployment(client);
      const unfinished: Record<string, number> = {};
      for (const build of deployment.builds) unfinished[build] = await countUnfinished(client, build);
      return { ...deployment, unfinished };
    },
  },
  'deployment current': {
    usage: '--build B | --none   (new workflows go to its workers, which must run; none: to those without a build)',
    options: { build: { type: 'string' }, none: { type: 'boolean' } },
    async run({ temporal }, o) {
      if (o['none'] === true && o['build'] !== undefined) throw new AdminError('Give --build or --none, not both.');
      const build = o['none'] === true ? null : required(o, 'build');
      const client = await temporal();
      await makeCurrent(client, build);
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
