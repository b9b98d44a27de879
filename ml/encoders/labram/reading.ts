import { fillSites19, sites19 } from '../../channels/index.ts';
import { mlLimits } from '../../limits.ts';
import type { DatasetShape, Trials } from '../../types.ts';
import { rowOf } from './table.ts';
import { reasonSentence } from '../../reason-sentences.ts';

/** The channels that LaBraM reads, in the order of `sites`. */
export interface Reading {
  /** Electrodes by whose place each row is read. */
  readonly sites: readonly string[];
  /** Row of the trials that feeds each. */
  readonly rows: readonly number[];
  /** Row of each in LaBraM's table of places. */
  readonly places: readonly number[];
  /** True where these are the fixed 19 sites, those that an electrode feeds. */
  readonly fixed: boolean;
}

type Channels = Pick<Trials, 'channelNames' | 'positions'>;

/**
 * Each electrode is read by its own place in LaBraM's table; others are not read. Where the caller gave positions, or
 * the table knows neither 19 of the electrodes nor half of them, the fixed 19 sites are read instead, each from its
 * electrode or the nearest within 60 mm; sites that none feeds are not read.
 */
export function readingOf({ channelNames, positions }: Channels): Reading {
  const known = channelNames.filter((name) => rowOf(name) !== undefined).length;
  const fixed = positions !== undefined || (known < sites19.length && 2 * known < channelNames.length);
  const sites = fixed ? sites19 : channelNames;
  const rows = fixed ? fillSites19(channelNames, positions).rows : channelNames.map((_, row) => row);
  const read = sites
    .map((site, index) => ({ site, row: rows[index], place: rowOf(site) ?? -1 }))
    .filter(({ row, place }) => row >= 0 && place >= 0);
  return {
    sites: read.map(({ site }) => site),
    rows: read.map(({ row }) => row),
    places: read.map(({ place }) => place),
    fixed,
  };
}

/** Input of the graph from a reading. */
export interface GraphInput extends Pick<Reading, 'rows' | 'places'> {
  /** Index of each among the sites of the reading. */
  readonly at: readonly number[];
}

/** The part of a reading whose channels carry a signal. */
export function graphInputOf(
  { rows, places }: Reading,
  { channelNames, silent = [] }: Pick<Trials, 'channelNames' | 'silent'>,
): GraphInput {
  const at = rows.flatMap((row, i) => (silent.includes(channelNames[row]) ? [] : [i]));
  return { rows: at.map((i) => rows[i]), places: at.map((i) => places[i]), at };
}

/** Why LaBraM cannot read such data, to go on from "cannot be tried:"; null where it can. */
export function unreadable(shape: Channels & Pick<DatasetShape, 'seconds' | 'missingChannels'>): string | null {
  if (shape.seconds < 1) return reasonSentence('whole_seconds', { seconds: Math.round(shape.seconds * 1000) / 1000 });
  const { channelNames } = shape;
  const { rows, fixed } = readingOf(shape);
  if (rows.length === 0)
    return reasonSentence('no_place', { supplied: channelNames.length, within: mlLimits.nearestSiteMillimetres });
  if (!fixed || shape.missingChannels !== 'reject') return null;
  const { exact } = fillSites19(channelNames, shape.positions, 'reject');
  const missing = sites19.filter((site) => !exact.includes(site));
  return missing.length === 0
    ? null
    : reasonSentence('every_site_named', {
        missing: missing.length,
        supplied: channelNames.length,
        names: missing.join(', '),
      });
}
