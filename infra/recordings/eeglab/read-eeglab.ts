import { createAnnotationList } from '../annotation-list.ts';
import { RecordingFault } from '../fault.ts';
import type { FindFile } from '../given-file.ts';
import type { Annotation, Gap, RecordedChannel, Recording, Said } from '../recording.ts';
import { latin1Text, shown } from '../text.ts';
import { readMat5, type MatValue } from './mat5.ts';

/** Whether a file is a MATLAB 5 file, in which EEGLAB saves data sets (`.set`). */
export const isMat5 = (bytes: Uint8Array): boolean => latin1Text(bytes, 0, 19) === 'MATLAB 5.0 MAT-file';

type Fields = ReadonlyMap<string, MatValue>;

const mostChannels = 2_048;

const damaged = (what: string): RecordingFault =>
  new RecordingFault('damaged_header', `It is not a whole EEGLAB data set: ${what}. Save it again in EEGLAB.`);

const numberOf = (fields: Fields, name: string): number => fields.get(name)?.numbers?.()[0] ?? Number.NaN;

/**
 * Reads an EEGLAB data set in microvolts: a continuous recording, or epochs, one after the other with a pause between
 * them. Throws a RecordingFault.
 */
export function readEeglab(bytes: Uint8Array, _said: Said, find: FindFile): Recording {
  const variables = readMat5(bytes);
  const set: Fields = variables.get('EEG')?.structs?.[0] ?? variables;
  if (!set.has('data') || !set.has('srate'))
    throw new RecordingFault(
      'not_readable',
      `It is a MATLAB file with ${shown([...variables.keys()].slice(0, 5).join(', '))}, not an EEGLAB data set. ` +
        'Save it as a .set file in EEGLAB, or export it as EDF+.',
    );
  const count = numberOf(set, 'nbchan');
  const rateHz = numberOf(set, 'srate');
  const points = numberOf(set, 'pnts');
  const trials = Math.max(1, numberOf(set, 'trials') || 1);
  if (!(Number.isInteger(count) && count >= 1 && count <= mostChannels)) throw damaged(`it has ${count} channels`);
  if (!(rateHz > 0 && rateHz <= 1e6)) throw damaged(`its sampling rate is ${rateHz} Hz`);
  if (!(Number.isInteger(points) && points >= 1 && Number.isInteger(trials))) throw damaged(`it has ${points} samples`);
  const data = dataOf(set, find, { count, samples: points * trials });
  const present = Math.min(points * trials, Math.floor(data.length / count));
  if (present === 0)
    throw new RecordingFault('no_data', 'It holds no data. Choose it together with its .fdt or .dat file.');
  const labels = labelsOf(set, count);
  const channels = labels.map((label, i): RecordedChannel => {
    const values = new Float32Array(present);
    for (let k = 0; k < present; k++) values[k] = data.at(i, k);
    return { label, rateHz, unit: 'uV', values };
  });
  const events = eventsOf(set, rateHz, bytes.length);
  const notices =
    present < points * trials
      ? [`It promises ${points * trials} samples and ${present} are there. Those that are there are read.`]
      : [];
  const seconds = present / rateHz;
  return trials > 1
    ? {
        channels,
        seconds,
        startsAt: null,
        ...epochsOf(set, events, { points, trials: Math.ceil(present / points), rateHz, notices }),
      }
    : { channels, seconds, startsAt: null, ...continuousOf(events, notices) };
}

interface Values {
  readonly length: number;
  at(channel: number, sample: number): number;
}

/**
 * The signal: in the file itself or as 32-bit floats in its `.fdt` file, one sample of all channels after the other; or
 * as 32-bit floats in its `.dat` file, one channel after the other.
 */
function dataOf(set: Fields, find: FindFile, size: { readonly count: number; readonly samples: number }): Values {
  const { count, samples } = size;
  const { numbers, text } = set.get('data')!;
  const inside = numbers?.();
  if (inside && inside.length > 0)
    return { length: inside.length, at: (channel, sample) => inside[sample * count + channel] };
  const name = text ?? set.get('datfile')?.text ?? '.fdt';
  const isByChannel = /\.dat$/i.test(name);
  const extension = isByChannel ? '.dat' : '.fdt';
  const found = find(name, extension);
  if (!found)
    throw new RecordingFault(
      'missing_file',
      `Its signal is in ${shown(name)}. Choose both files together (.set and ${extension}).`,
    );
  const view = new DataView(found.bytes.buffer, found.bytes.byteOffset, found.bytes.byteLength);
  const length = Math.floor(view.byteLength / 4);
  if (isByChannel && length !== count * samples)
    throw damaged(
      `${count} channels of ${samples} samples need ${4 * count * samples} bytes and ${shown(name)} has ${view.byteLength}`,
    );
  return {
    length,
    at: (channel, sample) =>
      view.getFloat32(4 * (isByChannel ? channel * samples + sample : sample * count + channel), true),
  };
}

function labelsOf(set: Fields, count: number): string[] {
  const places = set.get('chanlocs')?.structs ?? [];
  return Array.from({ length: count }, (_, i) => places[i]?.get('labels')?.text?.trim() || `Channel ${i + 1}`);
}

function eventsOf(set: Fields, rateHz: number, fileBytes: number): Annotation[] {
  const list = createAnnotationList(fileBytes);
  for (const event of set.get('event')?.structs ?? []) {
    const kind = event.get('type');
    const text = kind?.text?.trim() ?? (kind?.numbers ? String(kind.numbers()[0] ?? '') : '');
    const onset = (numberOf(event, 'latency') - 1) / rateHz;
    const points = numberOf(event, 'duration');
    if (text !== '' && Number.isFinite(onset)) list.add({ onset, duration: points > 1 ? points / rateHz : 0, text });
  }
  return list.all.sort((a, b) => a.onset - b.onset);
}

/** “boundary” events are pauses or cuts. */
function continuousOf(events: readonly Annotation[], notices: readonly string[]) {
  const isBoundary = ({ text }: Annotation): boolean => /^boundary$/i.test(text);
  const gaps = events.filter((each) => isBoundary(each) && each.onset > 0);
  return {
    annotations: events.filter((each) => !isBoundary(each)),
    gaps: gaps.map(({ onset, duration }): Gap => ({ at: onset, seconds: duration })),
    notices: [
      ...notices,
      ...(gaps.length > 0
        ? [`It has ${gaps.length} boundaries, where parts were cut out. Trials across a boundary are left out.`]
        : []),
    ],
  };
}

/** Epochs keep the event at their time 0; without one, all their events. */
function epochsOf(
  set: Fields,
  events: readonly Annotation[],
  about: {
    readonly points: number;
    readonly trials: number;
    readonly rateHz: number;
    readonly notices: readonly string[];
  },
) {
  const { points, trials, rateHz, notices } = about;
  const from = Number.isFinite(numberOf(set, 'xmin')) ? numberOf(set, 'xmin') : 0;
  const zero = Math.round(-from * rateHz);
  const locked = events.filter(({ onset }) => Math.abs((Math.round(onset * rateHz) % points) - zero) <= 1);
  const gaps = Array.from({ length: trials - 1 }, (_, i): Gap => ({ at: ((i + 1) * points) / rateHz, seconds: 0 }));
  return {
    annotations: locked.length > 0 ? locked : events,
    gaps,
    epochs: { samples: points, from },
    notices: [
      ...notices,
      `It holds ${trials} epochs from ${round(from)} to ${round(from + points / rateHz)} s around their events. Choose a window within them.`,
    ],
  };
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;
