import { fillSites19, headPositionOf, sites19 } from '../channels/index.ts';
import { mlLimits } from '../limits.ts';
import type { Check } from './reasons.ts';

const listed = (names: readonly string[]): string =>
  names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ');

/** With `missing_channels: "reject"` the caller must name every one of the 19 sites. */
export const everySiteNamed: Check = ({ channelNames, missingChannels }) => {
  if (missingChannels !== 'reject') return null;
  const { exact } = fillSites19(channelNames, undefined, 'reject');
  const missing = sites19.filter((site) => !exact.includes(site));
  return missing.length === 0
    ? null
    : `reads 19 fixed sites, and missing_channels is "reject": ${missing.length} of them are not among the ` +
        `${channelNames.length} channels supplied (${listed(missing)})`;
};

/** This many of the 19 sites must have an electrode, their own or one within 60 mm. */
export const atLeastSites =
  (needed: number): Check =>
  ({ channelNames, positions }) => {
    const { rows, silent } = fillSites19(channelNames, positions);
    const filled = rows.filter((row) => row >= 0).length;
    return filled >= needed
      ? null
      : `reads 19 fixed sites and needs ${needed} of them; ${filled} can be fed from the ${channelNames.length} ` +
          `channels supplied, for the others (${listed(silent)}) no electrode is within ` +
          `${mlLimits.nearestSiteMillimetres} mm`;
  };

/** Requires a position for every channel, the caller's or the template's. */
export const everyPosition: Check = ({ channelNames, positions }) => {
  const without = channelNames.filter((name, row) => !positions?.[row] && !headPositionOf(name));
  return without.length === 0
    ? null
    : `needs the position of every channel; ${without.length} of ${channelNames.length} have none (${listed(without)})`;
};

/** Requires electrodes at different positions: two at the same place give no gradient. */
export const apart: Check = ({ channelNames, positions }) => {
  const places = new Map<string, string>();
  for (const [row, name] of channelNames.entries()) {
    const place = positions?.[row]?.map((metres) => Math.round(metres * 1000)).join(' ');
    if (place === undefined) continue;
    const other = places.get(place);
    if (other !== undefined)
      return (
        `needs electrodes in different places; the positions of ${other} and ${name} (channels of ` +
        `${channelNames.length}) agree to 1 mm`
      );
    places.set(place, name);
  }
  return null;
};
