import { createAnnotationList } from './annotation-list.ts';
import { RecordingFault } from './fault.ts';
import type { FindFile } from './given-file.ts';
import type { Gap, RecordedChannel, Recording, Said } from './recording.ts';
import { eitherText, latin1Text, shown, utf8Text, westernText } from './text.ts';

const starts = (bytes: Uint8Array, kind: string): boolean =>
  new RegExp(`^(?:ï»¿)?Brain ?Vision (?:Data Exchange|Core) ${kind}`, 'i').test(latin1Text(bytes, 0, 100).trimStart());

/** Whether a file is the header of a BrainVision recording (`.vhdr`). */
export const isBrainVisionHeader = (bytes: Uint8Array): boolean =>
  starts(bytes, 'Header') || /^(?:ï»¿)?BrainVision.{0,40}Header File/i.test(latin1Text(bytes, 0, 100));

/** Whether a file holds the markers of a BrainVision recording (`.vmrk`). */
export const isBrainVisionMarkers = (bytes: Uint8Array): boolean => starts(bytes, 'Marker');

type Sections = ReadonlyMap<string, ReadonlyMap<string, string>>;

const mostHeaderBytes = 32 * 2 ** 20;
const mostChannels = 2_048;

/** `[Section]` and `key=value` lines; keys and sections in lower case. */
function sectionsOf(text: string): Sections {
  const sections = new Map<string, Map<string, string>>();
  let current = new Map<string, string>();
  for (const line of text.split(/\r\n|\n|\r/)) {
    const section = /^\[(.+)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) {
      current = sections.get(section.toLowerCase()) ?? new Map<string, string>();
      sections.set(section.toLowerCase(), current);
      continue;
    }
    const at = line.indexOf('=');
    if (at > 0 && !line.startsWith(';')) current.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
  return sections;
}

const bytesOf = { INT_16: 2, UINT_16: 2, INT_32: 4, IEEE_FLOAT_32: 4, IEEE_FLOAT_64: 8 } as const;
type BinaryFormat = keyof typeof bytesOf;

/**
 * Reads a BrainVision recording: the header names the binary file (`.eeg`) and the markers (`.vmrk`), which `find`
 * gives. Throws a RecordingFault.
 */
export function readBrainVision(bytes: Uint8Array, { encoding }: Said, find: FindFile): Recording {
  const text = decode(bytes, encoding);
  const sections = sectionsOf(text);
  const common = sections.get('common infos') ?? new Map<string, string>();
  const count = whole(common.get('numberofchannels'), 'the number of channels', mostChannels);
  const interval = Number(common.get('samplinginterval')?.replace(',', '.'));
  if (!(interval > 0 && interval <= 1e9))
    throw damaged(`the sampling interval is "${shown(common.get('samplinginterval') ?? '')}"`);
  const rateHz = Math.round((1e6 / interval) * 1e6) / 1e6;
  if (!/^binary$/i.test(common.get('dataformat') ?? 'binary'))
    throw new RecordingFault(
      'not_readable',
      'Its signal is stored as text (ASCII). Export it again in a binary format.',
    );
  const format = (sections.get('binary infos')?.get('binaryformat') ?? 'INT_16').toUpperCase() as BinaryFormat;
  if (!Object.hasOwn(bytesOf, format)) throw damaged(`its binary format is "${shown(format)}"`);
  const data = companion(common.get('datafile'), '.eeg', 'signal', find);
  const samples = Math.floor(data.length / (count * bytesOf[format]));
  if (samples === 0) throw new RecordingFault('no_data', 'It holds no data: the file of the signal is empty.');
  const isVector = /^vectorized$/i.test(common.get('dataorientation') ?? '');
  const infos = sections.get('channel infos') ?? new Map<string, string>();
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const channels = Array.from({ length: count }, (_, i): RecordedChannel => {
    const cells = (infos.get(`ch${i + 1}`) ?? '').split(',').map((cell) => cell.replaceAll('\\1', ',').trim());
    const given = Number((cells[2] ?? '').replace(',', '.') || 1);
    const layout = isVector ? { first: i * samples, step: 1 } : { first: i, step: count };
    const values = new Float32Array(samples);
    copyValues(view, format, { ...layout, gain: Number.isFinite(given) && given !== 0 ? given : 1 }, values);
    return { label: cells[0] || `Ch${i + 1}`, rateHz, unit: cells[3] || 'uV', values };
  });
  const { annotations, gaps, notices } = readMarkers(common.get('markerfile'), { rateHz, encoding, find });
  return { channels, annotations, gaps, notices, seconds: samples / rateHz, startsAt: null };
}

/** Copies the values of one channel, times `gain`. */
function copyValues(
  view: DataView,
  format: BinaryFormat,
  { first, step, gain }: { readonly first: number; readonly step: number; readonly gain: number },
  into: Float32Array,
): void {
  const size = bytesOf[format];
  for (let k = 0, at = first * size; k < into.length; k++, at += step * size) {
    const value =
      format === 'INT_16'
        ? view.getInt16(at, true)
        : format === 'UINT_16'
          ? view.getUint16(at, true)
          : format === 'INT_32'
            ? view.getInt32(at, true)
            : format === 'IEEE_FLOAT_32'
              ? view.getFloat32(at, true)
              : view.getFloat64(at, true);
    into[k] = value * gain;
  }
}

/** The markers; a “New Segment” within the recording is a pause of unknown length. */
function readMarkers(
  name: string | undefined,
  {
    rateHz,
    encoding,
    find,
  }: { readonly rateHz: number; readonly encoding?: string | undefined; readonly find: FindFile },
): Pick<Recording, 'annotations' | 'gaps' | 'notices'> {
  if (name === undefined || name === '')
    return { annotations: [], gaps: [], notices: ['Its header names no markers.'] };
  const bytes = companion(name, '.vmrk', 'markers', find);
  const list = createAnnotationList(bytes.length);
  const gaps: Gap[] = [];
  for (const [key, value] of sectionsOf(decode(bytes, encoding)).get('marker infos') ?? []) {
    if (!/^mk\d+$/.test(key)) continue;
    const [kind, description = '', position, size = '0'] = value.split(',').map((cell) => cell.replaceAll('\\1', ','));
    const onset = (Number(position) - 1) / rateHz;
    if (!(onset >= 0)) continue;
    if (/^new segment$/i.test(kind)) {
      if (onset > 0) gaps.push({ at: onset, seconds: 0 });
      continue;
    }
    const points = Number(size);
    list.add({ onset, duration: points > 1 ? points / rateHz : 0, text: `${kind}/${description}` });
  }
  return {
    annotations: list.all.sort((a, b) => a.onset - b.onset),
    gaps: gaps.sort((a, b) => a.at - b.at),
    notices:
      gaps.length > 0
        ? [
            `The recorder was paused ${gaps.length === 1 ? 'once' : `${gaps.length} times`}. Trials across a pause are left out.`,
          ]
        : [],
  };
}

function companion(name: string | undefined, extension: string, what: string, find: FindFile): Uint8Array {
  const wanted = name ?? extension;
  const found = find(wanted, extension);
  if (!found)
    throw new RecordingFault(
      'missing_file',
      `It is one part of a recording: its ${what} ${what === 'signal' ? 'is' : 'are'} in ${shown(wanted)}. ` +
        'Choose all its files together (.vhdr, .vmrk and .eeg).',
    );
  return found.bytes;
}

function decode(bytes: Uint8Array, encoding: string | undefined): string {
  if (bytes.length > mostHeaderBytes) throw damaged(`it has ${bytes.length} bytes of text`);
  if (encoding === 'latin-1') return westernText(bytes);
  return (utf8Text(bytes) ?? eitherText(bytes)).replace(/^\uFEFF/, '');
}

const damaged = (what: string): RecordingFault =>
  new RecordingFault('damaged_header', `Its header is damaged: ${what}. Export the recording again.`);

function whole(text: string | undefined, what: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw damaged(`${what} is "${shown(text ?? '')}" (1 to ${most} is possible)`);
  return value;
}
