import type { Annotation } from '../recording.ts';
import type { RecordingHeader } from './header.ts';

/** Trigger bits of a BioSemi status sample; the higher bits contain the state of the amplifier. */
const triggerBits = 0xff_ff;

/**
 * Adds an annotation at each change of the triggers of a BDF status channel to a value other than 0. The text is the
 * value; there is no duration. The value at the first sample is not an event.
 */
export function readStatusEvents(bytes: Uint8Array, header: RecordingHeader, add: (each: Annotation) => void): void {
  const { format, headerBytes, recordBytes, records, recordSeconds, signals } = header;
  const status = signals.find(({ label }) => label.toLowerCase() === format.statusLabel);
  if (!status) return;
  const { at, perRecord } = status;
  let before = -1;
  for (let record = 0; record < records; record++) {
    for (let k = 0; k < perRecord; k++) {
      const from = headerBytes + record * recordBytes + at + k * format.sampleBytes;
      const value = (bytes[from] | (bytes[from + 1] << 8)) & triggerBits;
      if (value !== before && value !== 0 && before >= 0)
        add({ onset: ((record * perRecord + k) * recordSeconds) / perRecord, duration: 0, text: String(value) });
      before = value;
    }
  }
}
