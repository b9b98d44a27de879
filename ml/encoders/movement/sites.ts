import { canonicalName, headPositionOf } from '../../channels/index.ts';
import type { Position } from '../../channels/index.ts';
import { distance } from '../../channels/frames.ts';
import type { SignalShape } from '../../types.ts';
import { movementCard } from './card.ts';

/** Largest distance of an electrode from the site that it stands for, metres. */
const nearest = 0.02;

/** Channels that the network reads, and the site of each: indices, in the order of the sites. */
export interface UsedSites {
  readonly channels: readonly number[];
  readonly sites: readonly number[];
}

type Placed = Pick<SignalShape, 'channelNames' | 'positions'>;

const known = new WeakMap<object, UsedSites>();
/** The same by the names of the channels, without positions: each prediction has a shape of its own. */
const byNames = new Map<string, UsedSites>();
const mostNames = 32;

/**
 * The channels that stand at a site of the network: by position if the caller sent it, else by name, else by the
 * template's position of the name. Of several channels near one site the nearest is read. If there are more than
 * `mostSites`, those that the card prefers.
 */
export function usedSites(shape: Placed): UsedSites {
  const before = known.get(shape);
  if (before) return before;
  const names = shape.positions ? null : shape.channelNames.join('\0');
  const own = (names !== null && byNames.get(names)) || findSites(shape);
  if (names !== null && byNames.size < mostNames) byNames.set(names, own);
  known.set(shape, own);
  return own;
}

/**
 * The channels of a montage of the card, by their names alone. Throws if the shape lacks one or the card has no such
 * montage.
 */
export function montageSites({ channelNames }: Pick<SignalShape, 'channelNames'>, montage: string): UsedSites {
  const row = movementCard.scores.find((score) => score.montage === montage);
  if (!row) throw new RangeError(`The card of the movement network has no montage '${montage}'.`);
  const sites = row.electrodes.map((name) => movementCard.sites.indexOf(name)).sort((a, b) => a - b);
  const channels = sites.map((site) => channelNames.indexOf(movementCard.sites[site]));
  const missing = sites.filter((_, i) => channels[i] < 0).map((site) => movementCard.sites[site]);
  if (missing.length > 0) throw new RangeError(`The trials lack ${missing.join(', ')} of the montage '${montage}'.`);
  return { channels, sites };
}

function findSites({ channelNames, positions }: Placed): UsedSites {
  const { sites, preference, mostSites } = movementCard;
  const best = new Map<number, { channel: number; metres: number }>();
  channelNames.forEach((name, channel) => {
    const found = siteOf(canonicalName(name) ?? name, positions?.[channel]);
    const other = found && best.get(found.site);
    if (found && (!other || found.metres < other.metres)) best.set(found.site, { channel, metres: found.metres });
  });
  const preferred = preference
    .map((name) => sites.indexOf(name))
    .filter((site) => best.has(site))
    .slice(0, mostSites)
    .sort((a, b) => a - b);
  return { channels: preferred.map((site) => best.get(site)!.channel), sites: preferred };
}

function siteOf(name: string, position?: Position): { site: number; metres: number } | null {
  const { sites } = movementCard;
  if (!position && sites.includes(name)) return { site: sites.indexOf(name), metres: 0 };
  const at = position ?? headPositionOf(name);
  if (!at) return null;
  let found: { site: number; metres: number } | null = null;
  sites.forEach((site, s) => {
    const metres = distance(at, headPositionOf(site)!);
    if (metres <= nearest && (!found || metres < found.metres)) found = { site: s, metres };
  });
  return found;
}

/** The site at the same place of the other side of the head: C3 → C4; a site of the midline is its own. */
export function mirroredSite(name: string): string {
  const [, letters, digits] = /^(\D+?)(\d+)$/.exec(name) ?? [];
  if (digits === undefined) return name;
  const number = Number(digits);
  return `${letters}${number % 2 ? number + 1 : number - 1}`;
}
