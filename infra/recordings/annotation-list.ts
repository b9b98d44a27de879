import { RecordingFault } from './fault.ts';
import type { Annotation } from './recording.ts';

/** More annotations than these are refused: 10,000, and one more for each 64 bytes of the file. */
export const mostAnnotations = (fileBytes: number): number => 10_000 + Math.floor(fileBytes / 64);

/** A list that throws when it has more entries than a file of that size can have. */
export function createAnnotationList(fileBytes: number): { readonly all: Annotation[]; add(each: Annotation): void } {
  const most = mostAnnotations(fileBytes);
  const all: Annotation[] = [];
  return {
    all,
    add(each) {
      if (all.length === most)
        throw new RecordingFault(
          'too_many_annotations',
          `It holds more than ${most} annotations, which is the most that a file of ${fileBytes} bytes may have.`,
        );
      all.push(each);
    },
  };
}
