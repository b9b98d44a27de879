import { count } from '../../infra/contract/quote.ts';
import {
  distance,
  headPositionOf,
  resolveChannels,
  toHead,
  type Position,
  type ResolvedChannels,
} from '../../ml/channels/index.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { Finding } from '../../ml/types.ts';
import { entries, times, type Problem } from './problems.ts';
import type { Shape } from './shape.ts';
import { requestSentence } from './request-sentences.ts';

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
  const pair = samePlace(positions);
  if (pair) {
    problems.push({
      field: `positions[${pair[1]}]`,
      message:
        `positions[${pair[0]}] and positions[${pair[1]}] are less than ${leastApart * 1000} mm apart; two electrodes ` +
        'cannot be at one place. Send the position of each electrode.',
    });
  }
  return problems;
}

/** Electrodes nearer to each other than this are an error, in metres. */
const leastApart = 0.001;

/** The first two positions at one place; null: none. */
function samePlace(positions: readonly Position[]): readonly [number, number] | null {
  const order = positions.map((_, at) => at).sort((a, b) => positions[a][0] - positions[b][0] || a - b);
  for (const [place, first] of order.entries())
    for (let next = place + 1; next < order.length; next++) {
      const second = order[next];
      if (positions[second][0] - positions[first][0] >= leastApart) break;
      if (distance(positions[first], positions[second]) < leastApart)
        return [Math.min(first, second), Math.max(first, second)];
    }
  return null;
}

/** A warning names this many channels. */
const namedFar = 5;

/**
 * Warns of electrodes farther from the place of their name on the template head than a fixed layout reads. Their order,
 * unit or frame is probably wrong.
 */
export function positionFindings(
  positions: readonly Position[] | null,
  frame: 'head' | 'mni',
  channels: readonly string[],
): Finding[] {
  const far = (positions ?? []).flatMap((position, at) => {
    const usual = headPositionOf(channels[at]);
    const millimetres = usual ? 1000 * distance(toHead[frame](position), usual) : 0;
    return millimetres > limits.nearestSiteMillimetres ? [{ name: channels[at], millimetres }] : [];
  });
  if (far.length === 0) return [];
  const list = far.slice(0, namedFar).map(({ name, millimetres }) => `${name} by ${Math.round(millimetres)} mm`);
  const more = far.length > namedFar ? ` and ${far.length - namedFar} more` : '';
  return [
    {
      check: 'positions',
      message: requestSentence('positions', {
        far: far.length,
        channels: channels.length,
        within: limits.nearestSiteMillimetres,
        names: list.join(', ') + more,
      }),
      change: null,
      remove: null,
    },
  ];
}

/** Positions in the form of `Trials`: metres, head frame. */
export const headPositions = (
  positions: readonly Position[] | null,
  frame: 'head' | 'mni',
): readonly Position[] | undefined => positions?.map((position) => toHead[frame](position));
