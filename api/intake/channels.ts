import { count } from '../../infra/contract/quote.ts';
import { resolveChannels, toHead, type Position, type ResolvedChannels } from '../../ml/channels/index.ts';
import { entries, times, type Problem } from './problems.ts';
import type { Shape } from './shape.ts';

export interface ChannelsRead {
  readonly resolved: ResolvedChannels | null;
  readonly problems: readonly Problem[];
}

/** Validates `channels`: electrode names, one per row of `x`. */
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
      message:
        `channels has ${count(channels.length)} names and x has ${count(shape[1])} rows per trial ` +
        `(${times(shape)}); send one name per row.${turned}`,
    });
  }
  return { resolved, problems };
}

/** An electrode farther than this from the origin of its frame is an error, in metres. */
const reach = 0.3;
const norm = ([x, y, z]: Position): number => Math.hypot(x, y, z);

/** Validates `positions`: one triple per channel, in metres. */
export function positionProblems(positions: readonly Position[] | null, channels: number | null): Problem[] {
  if (!positions) return [];
  const problems: Problem[] = [];
  if (channels !== null && positions.length !== channels) {
    problems.push({
      field: 'positions',
      message:
        `positions has ${entries(positions.length)} and channels has ${count(channels)}; send one [x, y, z] ` +
        'per channel, in metres.',
    });
  }
  const far = positions.findIndex((position) => norm(position) > reach);
  if (far >= 0) {
    const largest = Math.max(...positions.map(norm));
    const divisor = [1000, 100].find((by) => largest / by <= reach && largest / by >= 0.02);
    const scaled = divisor === undefined ? null : positions.map((position) => position.map((value) => value / divisor));
    problems.push({
      field: `positions[${far}]`,
      message:
        `positions[${far}] is ${norm(positions[far]).toPrecision(3)} m from the origin; electrodes lie within ` +
        `${reach} m. Send ` +
        `metres${divisor === 1000 ? ', not millimetres' : divisor === 100 ? ', not centimetres' : ''}.`,
      ...(scaled ? { alternatives: [{ positions: scaled }] } : {}),
    });
  }
  return problems;
}

/** Positions in the form of `Trials`: metres, head frame. */
export const headPositions = (
  positions: readonly Position[] | null,
  frame: 'head' | 'mni',
): readonly Position[] | undefined => positions?.map((position) => toHead[frame](position));
