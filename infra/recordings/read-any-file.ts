import { isBrainVisionHeader, isBrainVisionMarkers, readBrainVision } from './brainvision.ts';
import { readRecording } from './edf/read-recording.ts';
import { isMat5, readEeglab } from './eeglab/read-eeglab.ts';
import { RecordingFault } from './fault.ts';
import { isFif, readFif } from './fif/read-fif.ts';
import type { FindFile, GivenFile } from './given-file.ts';
import type { NamedRecording } from './hypnogram.ts';
import type { Recording, Said } from './recording.ts';
import { isTable, readTable } from './table.ts';
import { latin1Text } from './text.ts';

interface Format {
  is(bytes: Uint8Array): boolean;
  read(bytes: Uint8Array, said: Said, find: FindFile): Recording;
}

const begins =
  (...magics: readonly string[]) =>
  (bytes: Uint8Array): boolean =>
    magics.some((magic) => latin1Text(bytes, 0, magic.length) === magic);

const refuse = (message: string) => (): never => {
  throw new RecordingFault('not_readable', message);
};

/** Formats by the first bytes of a file, never by its name. */
const formats: readonly Format[] = [
  { is: isBrainVisionHeader, read: readBrainVision },
  { is: isMat5, read: readEeglab },
  { is: isFif, read: readFif },
  {
    is: begins('\u0089HDF'),
    read: refuse('It is a MATLAB 7.3 (HDF5) file. Save it in EEGLAB with “save as MATLAB 5”, or export it as EDF+.'),
  },
  {
    is: begins('XDF:'),
    read: refuse('It is an XDF file. Use the Python client or the command eeg-classifier for it.'),
  },
  { is: begins('GDF '), read: refuse('It is a GDF file. Use the Python client, or export it as EDF+.') },
  {
    is: begins('\u001F\u008B', 'PK\u0003\u0004'),
    read: refuse('It is a compressed archive. Unpack it, and choose the recordings in it.'),
  },
  { is: isTable, read: readTable },
];

/**
 * Reads every file by its content, with the files that belong to it. Throws an Error that names the file, the reason
 * and what to do.
 */
export function readAnyFile(files: readonly GivenFile[], said: Said): NamedRecording[] {
  const used = new Set<GivenFile>();
  const formatOf = new Map(files.map((file) => [file, formats.find(({ is }) => is(file.bytes))]));
  const loose = files.filter((file) => !formatOf.get(file) && !isEdf(file.bytes));
  const main = files.filter((file) => !loose.includes(file));
  const find: FindFile = (name, extension) => {
    const plain = (text: string): string => text.split(/[/\\]/).at(-1)!.toLowerCase();
    const ending = loose.filter((each) => plain(each.name).endsWith(extension));
    // A renamed file is taken only if it can belong to nothing else.
    const other = main.length === 1 && ending.length === 1 ? ending[0] : null;
    const found = loose.find((each) => plain(each.name) === plain(name)) ?? other;
    if (found) used.add(found);
    return found;
  };
  const read = main.map((file) => ({
    name: file.name,
    recording: readNamed(
      file,
      () => formatOf.get(file)?.read(file.bytes, said, find) ?? readRecording(file.bytes, said),
    ),
  }));
  for (const file of loose)
    if (!used.has(file))
      readNamed(file, () => {
        if (isBrainVisionMarkers(file.bytes) || /\.(eeg|dat|fdt)$/i.test(file.name))
          throw new RecordingFault(
            'missing_file',
            'It is one part of a recording. Choose it together with the .vhdr or .set file that belongs to it.',
          );
        return readRecording(file.bytes, said);
      });
  return read;
}

const isEdf = begins('0       ', '0\0\0\0\0\0\0\0', '\u00FFBIOSEMI');

/** Puts the name of the file before the reader's message. */
function readNamed({ name }: GivenFile, read: () => Recording): Recording {
  try {
    return read();
  } catch (cause) {
    const message =
      cause instanceof RecordingFault
        ? cause.message
        : 'It is damaged, or of a kind that is not read. Export it as EDF+ from your recording software.';
    throw new Error(`${name} cannot be read. ${message}`, { cause });
  }
}
