import { fillSites19, headPositionOf, sites19 } from '../channels/index.ts';
import { mlLimits } from '../limits.ts';
import type { Check } from './reasons.ts';
import { reasonSentence } from '../reason-sentences.ts';

const listed = (names: readonly string[]): string =>
  names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ');

/** With `missing_channels: "reject"` the caller must name every one of the 19 sites. */
export const everySiteNamed: Check = ({ channelNames, missingChannels }) => {
  if (missingChannels !== 'reject') return null;
  const { exact } = fillSites19(channelNames, undefined, 'reject');
  const missing = sites19.filter((site) => !exact.includes(site));
  return missing.length === 0
    ? null
    : reasonSentence('every_site_named', {
        missing: missing.length,
        supplied: channelNames.length,
        names: listed(missing),
      });
};

/** This many of the 19 sites must have an electrode, their own or one within 60 mm. */
export const atLeastSites =
  (needed: number): Check =>
  ({ channelNames, positions }) => {
    const { rows, silent } = fillSites19(channelNames, positions);
    const filled = rows.filter((row) => row >= 0).length;
    return filled >= needed
      ? null
      : reasonSentence('sites_at_least', {
          needed,
          filled,
          supplied: channelNames.length,
          names: listed(silent),
          within: mlLimits.nearestSiteMillimetres,
        });
  };

/** Requires a position for every channel, the caller's or the template's. */
export const everyPosition: Check = ({ channelNames, positions }) => {
  const without = channelNames.filter((name, row) => !positions?.[row] && !headPositionOf(name));
  return without.length === 0
    ? null
    : reasonSentence('positions', {
        without: without.length,
        supplied: channelNames.length,
        names: listed(without),
      });
};

/** Requires electrodes at different positions: two at the same place give no gradient. */
export const apart: Check = ({ channelNames, positions }) => {
  const places = new Map<string, string>();
  for (const [row, name] of channelNames.entries()) {
    const place = positions?.[row]?.map((metres) => Math.round(metres * 1000)).join(' ');
    if (place === undefined) continue;
    const other = places.get(place);
    if (other !== undefined)
      return reasonSentence('places_apart', { one: other, other: name, supplied: channelNames.length });
    places.set(place, name);
  }
  return null;
};
