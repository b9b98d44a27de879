import { readRecording } from './edf/read-recording.ts';
import type { NamedRecording } from './hypnogram.ts';
import type { Recording, Said } from './recording.ts';

/** A file that a person chose. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads every file by its content. Throws an Error that names the file, the reason and what to do. */
export function readAnyFile(files: readonly GivenFile[], said: Said): NamedRecording[] {
  return files.map((file) => ({ name: file.name, recording: readNamed(file, () => readRecording(file.bytes, said)) }));
}

/** Puts the name of the file before the reader's message. */
function readNamed({ name }: GivenFile, read: () => Recording): Recording {
  try {
    return read();
  } catch (cause) {
    throw new Error(`${name} cannot be read. ${(cause as Error).message}`, { cause });
  }
}
