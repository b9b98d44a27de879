import { createAnnotationList } from '../annotation-list.ts';
import { RecordingFault } from '../fault.ts';
import { withoutPauses } from '../gap-times.ts';
import type { Annotation, RecordedChannel, Recording, Said } from '../recording.ts';
import { listed } from '../sentences.ts';
import { eitherText, latin1Text } from '../text.ts';

/** Numbers of the FIF format (Elekta/MNE). */
const kind = {
  id: 100,
  blockStart: 104,
  blockEnd: 105,
  channels: 200,
  rate: 201,
  channel: 203,
  comment: 206,
  first: 208,
  buffer: 300,
  skip: 301,
  onset: 3_568,
  until: 3_569,
  names: 3_507,
} as const;
const block = { info: 101, raw: [102, 112, 119], epochs: 373, bad: 359, annotations: 3_810, continues: 118 } as const;
const channelKind = { eeg: 2, stim: 3, eog: 202, emg: 302, ecg: 402, misc: 502 } as const;
const sampleBytes: Readonly<Record<number, number>> = { 2: 2, 3: 4, 4: 4, 5: 8, 16: 2 };

/** Whether a file begins with the identification of a FIF file. */
export const isFif = (bytes: Uint8Array): boolean => latin1Text(bytes, 0, 12) === '\0\0\0d\0\0\0\u001F\0\0\0\u0014';

const damaged = (what: string): RecordingFault =>
  new RecordingFault('damaged_header', `It is not a whole FIF recording: ${what}. Save it again with raw.save().`);

interface Tag {
  readonly kind: number;
  readonly type: number;
  readonly at: number;
  readonly size: number;
}

interface Channel {
  readonly label: string;
  readonly kind: number;
  readonly gain: number;
}

const mostTags = 4_000_000;
const mostChannels = 4_096;

/** What a walk over all tags finds. */
interface Found {
  rateHz: number;
  count: number;
  firstSample: number;
  readonly channels: Channel[];
  readonly buffers: (Tag | { readonly skip: number })[];
  readonly bad: string[];
  readonly annotations: { onsets: number[]; ends: number[]; texts: string[] }[];
  hasEpochs: boolean;
  goesOn: boolean;
}

/** Reads an uncompressed raw FIF recording: EEG and trigger channels in volts, and annotations. */
export function readFif(bytes: Uint8Array, _said: Said): Recording {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = walk(bytes, view);
  const { rateHz, channels, firstSample } = found;
  if (found.buffers.length === 0)
    throw new RecordingFault(
      'not_readable',
      found.hasEpochs
        ? 'It holds epochs, not a continuous recording. Save the raw recording (-raw.fif), or use the Python client.'
        : 'It holds no raw data. Save the raw recording with raw.save().',
    );
  if (!(rateHz > 0 && rateHz <= 1e6)) throw damaged(`its sampling rate is ${rateHz} Hz`);
  if (channels.length === 0 || channels.length !== found.count)
    throw damaged(`${found.count} channels are promised and ${channels.length} are there`);
  const read = new Set<number>(Object.values(channelKind));
  const wanted = channels.flatMap((channel, index) => (read.has(channel.kind) ? [{ channel, index }] : []));
  const bad = wanted.filter(({ channel }) => found.bad.includes(channel.label)).map(({ channel }) => channel.label);
  const kept = wanted.filter(({ channel }) => !bad.includes(channel.label));
  const { signals, gaps, total, firstSkipped } = copySignals(view, found, kept);
  const firstSeconds = (firstSample + firstSkipped) / rateHz;
  const inSignal = withoutPauses(gaps);
  const recorded = kept.map(({ channel }, i): RecordedChannel => {
    const isStim = channel.kind === channelKind.stim;
    return { label: channel.label, rateHz, unit: isStim ? '' : 'V', values: signals[i] };
  });
  const others = channels.length - wanted.length;
  return {
    channels: recorded,
    annotations: annotationsOf(found, firstSeconds, bytes.length).flatMap((each) => inSignal(each) ?? []),
    seconds: total / rateHz,
    gaps,
    startsAt: null,
    notices: [
      ...(bad.length > 0 ? [`${listed(bad)}: marked as bad channels in the file and left out.`] : []),
      ...(others > 0 ? [`${others} channels that are no EEG (such as MEG) are left out.`] : []),
      ...(found.goesOn ? ['The recording goes on in another file. Each file is read as a recording of its own.'] : []),
    ],
  };
}

function walk(bytes: Uint8Array, view: DataView): Found {
  const found: Found = {
    rateHz: 0,
    count: 0,
    firstSample: 0,
    channels: [],
    buffers: [],
    bad: [],
    annotations: [],
    hasEpochs: false,
    goesOn: false,
  };
  const blocks: number[] = [];
  let at = 0;
  for (let tags = 0; at >= 0 && at + 16 <= bytes.length; tags++) {
    if (tags > mostTags) throw damaged(`it has more than ${mostTags} parts`);
    const [of, type, size, next] = [0, 4, 8, 12].map((offset) => view.getInt32(at + offset, false));
    const tag: Tag = { kind: of, type: type & 0xff_ff, at: at + 16, size };
    if (size < 0 || tag.at + size > bytes.length) throw damaged('a part is longer than the file');
    if (of === kind.blockStart && size >= 4) {
      const number = view.getInt32(tag.at, false);
      blocks.push(number);
      if (number === block.annotations) found.annotations.push({ onsets: [], ends: [], texts: [] });
      found.hasEpochs ||= number === block.epochs;
      found.goesOn ||= number === block.continues;
    } else if (of === kind.blockEnd) blocks.pop();
    else take(found, tag, { bytes, view, blocks });
    // A file of MNE lists its parts in order; a position behind is not followed, so the walk ends.
    if (next === -1) break;
    at = next >= tag.at + size ? next : tag.at + size;
  }
  return found;
}

function take(
  found: Found,
  tag: Tag,
  { bytes, view, blocks }: { readonly bytes: Uint8Array; readonly view: DataView; readonly blocks: readonly number[] },
): void {
  const inside = blocks.at(-1);
  const isRaw = block.raw.some((each) => each === inside);
  const words = (): string[] => eitherText(bytes.subarray(tag.at, tag.at + tag.size)).split(':');
  // Projectors have numbers of channels of their own.
  const isInfo = inside === block.info;
  if (tag.kind === kind.channels && isInfo && tag.size >= 4) found.count = view.getInt32(tag.at, false);
  else if (tag.kind === kind.rate && isInfo && tag.size >= 4) found.rateHz = numbersOf(view, tag)[0];
  else if (tag.kind === kind.channel && isInfo && tag.size >= 96) takeChannel(found, tag, { bytes, view });
  else if (tag.kind === kind.first && isRaw && found.buffers.length === 0)
    found.firstSample = view.getInt32(tag.at, false);
  else if (tag.kind === kind.buffer && isRaw) found.buffers.push(tag);
  else if (tag.kind === kind.skip && isRaw && tag.size >= 4) found.buffers.push({ skip: view.getInt32(tag.at, false) });
  else if (inside === block.bad && tag.kind === kind.names) found.bad.push(...words());
  else if (inside === block.annotations) {
    const last = found.annotations.at(-1)!;
    if (tag.kind === kind.onset) last.onsets = [...numbersOf(view, tag)];
    else if (tag.kind === kind.until) last.ends = [...numbersOf(view, tag)];
    else if (tag.kind === kind.comment) last.texts = words();
  }
}

function takeChannel(found: Found, { at }: Tag, { bytes, view }: { bytes: Uint8Array; view: DataView }): void {
  if (found.channels.length === mostChannels) throw damaged(`it has more than ${mostChannels} channels`);
  found.channels.push({
    label: eitherText(bytes.subarray(at + 80, at + 96))
      .split('\0', 1)[0]
      .trim(),
    kind: view.getInt32(at + 8, false),
    gain: finite(view.getFloat32(at + 12, false) * view.getFloat32(at + 16, false)),
  });
}

/** A factor that can be used; damaged ones become 1. */
const finite = (gain: number): number => (Number.isFinite(gain) && gain !== 0 ? gain : 1);

function numbersOf(view: DataView, { type, at, size }: Tag): Float64Array {
  const width = sampleBytes[type];
  if (width === undefined) throw damaged(`numbers of kind ${type} are not known`);
  const values = new Float64Array(Math.floor(size / width));
  for (let i = 0; i < values.length; i++) values[i] = numberAt(view, type, at + i * width);
  return values;
}

function numberAt(view: DataView, type: number, at: number): number {
  if (type === 4) return view.getFloat32(at, false);
  if (type === 5) return view.getFloat64(at, false);
  return type === 3 ? view.getInt32(at, false) : view.getInt16(at, false);
}

/** Copies the signals of the kept channels; skipped buffers are pauses. */
function copySignals(
  view: DataView,
  { buffers, channels, rateHz }: Found,
  kept: readonly { readonly channel: Channel; readonly index: number }[],
) {
  const samplesOf = ({ type, size }: Tag): number =>
    Math.floor(size / ((sampleBytes[type] ?? Infinity) * channels.length)) || 0;
  const data = buffers.flatMap((each) => ('skip' in each ? [] : [each]));
  const total = data.reduce((sum, each) => sum + samplesOf(each), 0);
  if (total === 0)
    throw new RecordingFault('no_data', 'It holds no data that can be read. Save it again with raw.save().');
  const signals = kept.map(() => new Float32Array(total));
  const gaps: { at: number; seconds: number }[] = [];
  let into = 0;
  let skipped = 0;
  let firstSkipped = 0;
  for (const each of buffers) {
    if ('skip' in each) {
      skipped += Math.max(0, each.skip);
      continue;
    }
    const length = samplesOf(each);
    // A skip counts buffers of the length of the next one.
    if (skipped > 0 && into === 0) firstSkipped = skipped * length;
    else if (skipped > 0) gaps.push({ at: into / rateHz, seconds: (skipped * length) / rateHz });
    skipped = 0;
    const width = sampleBytes[each.type] ?? 1;
    kept.forEach(({ channel, index }, i) => {
      const signal = signals[i];
      const { gain } = channel;
      for (let k = 0; k < length; k++)
        signal[into + k] = numberAt(view, each.type, each.at + (k * channels.length + index) * width) * gain;
    });
    into += length;
  }
  return { signals, gaps, total, firstSkipped };
}

function annotationsOf({ annotations }: Found, firstSeconds: number, fileBytes: number): Annotation[] {
  const list = createAnnotationList(fileBytes);
  for (const { onsets, ends, texts } of annotations)
    onsets.forEach((onset, i) =>
      list.add({
        onset: onset - firstSeconds,
        duration: Math.max(0, (ends[i] ?? onset) - onset),
        text: (texts[i] ?? '').replaceAll('{COLON}', ':').trim(),
      }),
    );
  return list.all.filter(({ text }) => text !== '').sort((a, b) => a.onset - b.onset);
}
