import { createAnnotationList } from '../annotation-list.ts';
import type { Recording, Said } from '../recording.ts';
import { readAnnotations } from './annotations.ts';
import { readHeader, type RecordedSignal, type RecordingHeader } from './header.ts';
import { readStatusEvents } from './status-events.ts';

/**
 * Reads the bytes of an EDF, EDF+, BDF or BDF+ file, in Node and in a browser; the first bytes identify the format. For
 * any input, time is proportional to the number of bytes, and memory is at most 8 MB plus eight times that number.
 * Throws a RecordingFault that describes the problem.
 */
export function readRecording(bytes: Uint8Array, { encoding }: Said = {}): Recording {
  const header = readHeader(bytes);
  const { format, records, recordSeconds, signals } = header;
  const measured = signals.filter(({ label }) => label !== format.annotationLabel);
  const rateOf = ({ perRecord }: RecordedSignal): number => perRecord / recordSeconds;
  const list = createAnnotationList(bytes.length);
  const fastestRateHz = measured.reduce((most, signal) => Math.max(most, rateOf(signal)), 1);
  const { gaps, notices } = readAnnotations(bytes, header, { fastestRateHz, encoding, add: list.add });
  readStatusEvents(bytes, header, list.add);
  const channels = measured
    .filter(({ label }) => label.toLowerCase() !== format.statusLabel)
    .map((signal) => ({
      label: signal.label,
      rateHz: rateOf(signal),
      unit: signal.unit,
      values: readValues(bytes, header, signal),
      ...(signal.scale ? {} : { isDigital: true }),
    }));
  return {
    channels,
    annotations: list.all.sort((a, b) => a.onset - b.onset),
    seconds: records * recordSeconds,
    gaps,
    startsAt: header.startsAt,
    notices: [...header.notices, ...notices],
  };
}

function readValues(bytes: Uint8Array, header: RecordingHeader, signal: RecordedSignal): Float32Array {
  const { headerBytes, recordBytes, records, format } = header;
  const { perRecord, at, scale } = signal;
  const { gain, offset } = scale ?? { gain: 1, offset: 0 };
  const values = new Float32Array(perRecord * records);
  for (let record = 0, into = 0; record < records; record++) {
    let from = headerBytes + record * recordBytes + at;
    for (let k = 0; k < perRecord; k++, into++, from += format.sampleBytes) {
      const digital =
        format.sampleBytes === 2
          ? ((bytes[from] | (bytes[from + 1] << 8)) << 16) >> 16
          : ((bytes[from] | (bytes[from + 1] << 8) | (bytes[from + 2] << 16)) << 8) >> 8;
      values[into] = digital * gain + offset;
    }
  }
  return values;
}
