import type { Annotation, RecordedChannel } from './recording.ts';
import { triggerRules } from './rules.ts';
import { shown } from './text.ts';

const named =
  /^(?:(?:dc|dig)[\s_-]*)?(?:d?trig(?:ger)?s?|trg|status|sti(?:m(?:ulus)?)?|events?|markers?|mkr|din|tti|digi(?:tal)?)[\s_-]*(?:ch(?:annel)?)?[\s_-]*\d{0,3}$/i;

/** Whether a channel of this name looks like a trigger channel. */
export const isTriggerName = (label: string): boolean => named.test(label.trim());

/** Channels that look like trigger channels by their names. */
export const triggerChannels = (channels: readonly RecordedChannel[]): RecordedChannel[] =>
  channels.filter(({ label }) => isTriggerName(label));

/**
 * An event at each change to a value other than the resting value: 0, or the most frequent one if there is no 0. The
 * text is the value. The first sample is not an event. Null if the channel is a signal and not a series of triggers.
 */
export function triggerEvents({ values, rateHz }: Pick<RecordedChannel, 'values' | 'rateHz'>): Annotation[] | null {
  const counts = new Map<number, number>();
  let changes = 0;
  for (let i = 0; i < values.length; i++) {
    const value = rounded(values[i]);
    if (i > 0 && value !== rounded(values[i - 1])) changes++;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (counts.size > triggerRules.mostValues) return null;
  }
  if (changes > triggerRules.mostChangesPerSample * values.length) return null;
  const resting = counts.has(0) ? 0 : [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  const events: Annotation[] = [];
  for (let i = 1; i < values.length; i++) {
    const value = rounded(values[i]);
    if (value !== resting && value !== rounded(values[i - 1]))
      events.push({ onset: i / rateHz, duration: 0, text: String(value) });
  }
  return events;
}

/** Stored values differ from whole numbers by the scale's rounding. */
const rounded = (value: number): number => {
  const whole = Math.round(value);
  return Math.abs(value - whole) < triggerRules.wholeWithin ? whole : Math.round(value * 100) / 100;
};

/**
 * Events of the trigger channel that the person named. Otherwise, if the file has no annotations, those of the channel
 * with the most events among those that look like one. `notices` tells which channel it was, and which others there
 * are.
 */
export function eventsOfTriggers(
  channels: readonly RecordedChannel[],
  annotations: readonly Annotation[],
  wanted?: string,
): { events: Annotation[]; notices: string[]; used: string | null } {
  const chosen = wanted === undefined ? undefined : channels.find(({ label }) => label === wanted);
  if (wanted !== undefined && !chosen)
    return { events: [], notices: [`It has no channel named "${shown(wanted)}".`], used: null };
  const found = chosen ? [chosen] : triggerChannels(channels);
  const usable = found.flatMap((channel) => {
    const events = triggerEvents(channel);
    return events && events.length > 0 ? [{ channel, events }] : [];
  });
  if (chosen && usable.length === 0)
    return {
      events: [],
      notices: [`The channel "${shown(chosen.label)}" holds no triggers: its values do not change in steps.`],
      used: null,
    };
  if (usable.length === 0) return { events: [], notices: [], used: null };
  const [{ channel, events }, ...others] = usable.sort((a, b) => b.events.length - a.events.length);
  const label = shown(channel.label);
  const otherWords = others.map((each) => `"${shown(each.channel.label)}" (${each.events.length})`).join(', ');
  if (!chosen && annotations.length > 0)
    return {
      events: [],
      notices: [
        `The channel "${label}" holds ${events.length} triggers, which are not used because the file has annotations.`,
      ],
      used: null,
    };
  return {
    events,
    notices: [
      `The ${events.length} events come from the changes of the channel "${label}".` +
        (others.length > 0 ? ` It has the most. Other channels with events are not used: ${otherWords}.` : ''),
    ],
    used: channel.label,
  };
}
