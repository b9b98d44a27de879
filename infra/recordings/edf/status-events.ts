import type { Annotation } from '../recording.ts';
import { triggerEvents } from '../trigger-channel.ts';
import type { RecordingHeader } from './header.ts';

/** Trigger bits of a BioSemi status sample; the higher bits contain the state of the amplifier. */
const triggerBits = 0xff_ff;

/** Adds the events of a BDF status channel, by the rule of all trigger channels. */
export function readStatusEvents(bytes: Uint8Array, header: RecordingHeader, add: (each: Annotation) => void): void {
  const { format, headerBytes, recordBytes, records, recordSeconds, signals } = header;
  const status = signals.find(({ label }) => label.toLowerCase() === format.statusLabel);
  if (!status) return;
  const { at, perRecord } = status;
  const values = new Float32Array(records * perRecord);
  for (let record = 0, into = 0; record < records; record++) {
    for (let k = 0; k < perRecord; k++, into++) {
      const from = headerBytes + record * recordBytes + at + k * format.sampleBytes;
      values[into] = (bytes[from] | (bytes[from + 1] << 8)) & triggerBits;
    }
  }
  for (const each of triggerEvents({ values, rateHz: perRecord / recordSeconds }) ?? []) add(each);
}
