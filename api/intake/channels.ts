import { resolveChannels, type ResolvedChannels } from '../../ml/channels/index.ts';
import { count, times, type Problem } from './problems.ts';
import type { Shape } from './shape.ts';

export interface ChannelsRead {
  readonly resolved: ResolvedChannels | null;
  readonly problems: readonly Problem[];
}

/** `channels`: electrode names, one per row of `x`. */
export function readChannels(channels: readonly string[] | undefined, shape: Shape | null): ChannelsRead {
  if (!channels) return { resolved: null, problems: [] };
  const resolved = resolveChannels(channels);
  const problems: Problem[] = resolved.errors.map(({ index, message, alternatives }) => ({
    field: `channels[${index}]`,
    message,
    alternatives,
  }));
  if (shape && shape[1] !== channels.length) {
    const turned =
      shape[2] === channels.length ? ` x looks like trials × samples × channels: turn each trial round.` : '';
    problems.unshift({
      field: 'channels',
      message: `channels has ${count(channels.length)} names and x has ${count(shape[1])} rows per trial (${times(shape)}); send one name per row.${turned}`,
    });
  }
  return { resolved, problems };
}
