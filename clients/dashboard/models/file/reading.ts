import type { Annotation, Recording } from '../../../../infra/recordings/edf/read-recording.ts';

export const knownUnits = ['uV', 'mV', 'V'] as const;

/** What a person says about files that do not say it themselves. */
export interface Reading {
  /** Channel as written in the file → electrode. An empty name leaves the channel out. */
  readonly names: Readonly<Record<string, string>>;
  /** Unit of the channels whose file states none that can be read; null: not said. */
  readonly unit: (typeof knownUnits)[number] | null;
}

export const asWritten: Reading = { names: {}, unit: null };

const canBeRead = /^([uµμm]?v)$/i;

/** True if the file says in which unit the values are, in a way that can be read. */
export const statesUnit = (unit: string): boolean => canBeRead.test(unit.trim());

/** The recording with the names and the unit that the person gave. Values are shared, not copied. */
export function asRead(recording: Recording, { names, unit }: Reading): Recording {
  if (unit === null && Object.keys(names).length === 0) return recording;
  return {
    ...recording,
    channels: recording.channels.map((channel) => ({
      ...channel,
      label: Object.hasOwn(names, channel.label) ? names[channel.label] : channel.label,
      unit: unit !== null && !statesUnit(channel.unit) ? unit : channel.unit,
    })),
  };
}

/**
 * Cuts each chosen event that lasts two windows or longer into events of one window each. `window`: seconds from the
 * event. Other events are unchanged.
 */
export function cutLongEvents(
  annotations: readonly Annotation[],
  isChosen: (text: string) => boolean,
  [from, to]: readonly [number, number],
): Annotation[] {
  const length = to - from;
  return annotations.flatMap((event) => {
    if (!isChosen(event.text) || event.duration < 2 * length) return [event];
    const windows = Math.floor((event.duration - Math.max(0, from)) / length + 1e-9);
    return Array.from({ length: Math.max(1, windows) }, (_, k) => ({
      ...event,
      onset: event.onset + k * length,
      duration: length,
    }));
  });
}
