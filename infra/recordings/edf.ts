/**
 * One recording of an EDF or EDF+ file (Kemp et al. 1992; Kemp & Olivan 2003). The format is a
 * header of fixed columns and 16-bit integers, which needs no library.
 */
export interface EdfRecording {
  readonly channels: readonly EdfChannel[];
  readonly annotations: readonly EdfAnnotation[];
  readonly seconds: number;
}

export interface EdfChannel {
  /** As written in the file. */
  readonly label: string;
  readonly rateHz: number;
  /** `uV`, `mV`, `V`, or whatever the file says. */
  readonly unit: string;
  /** Physical values in `unit`. */
  readonly values: Float32Array;
}

export interface EdfAnnotation {
  /** Seconds from the start of the recording. */
  readonly onset: number;
  readonly duration: number;
  readonly text: string;
}

interface Signal {
  readonly label: string;
  readonly unit: string;
  readonly perRecord: number;
  readonly gain: number;
  readonly offset: number;
}

const annotationLabel = 'EDF Annotations';

/**
 * Reads the bytes of an EDF or EDF+ file; annotations (EDF+) become a list by onset. Throws an Error that says what is
 * wrong with the file.
 */
export function readEdf(bytes: Uint8Array): EdfRecording {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number, length: number): string => buffer.toString('latin1', at, at + length).trim();
  if (text(0, 8) !== '0') throw new Error('It is not an EDF file: the first eight characters are not the version 0.');
  const headerBytes = Number(text(184, 8));
  const recordSeconds = Number(text(244, 8));
  const count = Number(text(252, 4));
  if (!(count > 0) || headerBytes !== 256 * (count + 1))
    throw new Error(`Its header is damaged: ${text(252, 4)} signals and ${text(184, 8)} header bytes do not agree.`);
  if (text(192, 5) === 'EDF+D')
    throw new Error('It is a discontinuous recording (EDF+D); only continuous ones (EDF, EDF+C) are read.');
  const signals = readSignals(count, text);
  const recordBytes = 2 * signals.reduce((sum, signal) => sum + signal.perRecord, 0);
  const held = Math.floor((buffer.length - headerBytes) / recordBytes);
  const declared = Number(text(236, 8));
  if (declared > held) throw new Error(`It is cut short: ${declared} data records are declared and ${held} are there.`);
  const records = declared >= 0 ? declared : held;

  const values = signals.map(
    (signal) => new Float32Array(signal.label === annotationLabel ? 0 : signal.perRecord * records),
  );
  const annotations: EdfAnnotation[] = [];
  for (let record = 0, at = headerBytes; record < records; record++) {
    for (const [i, { label, perRecord, gain, offset }] of signals.entries()) {
      if (label === annotationLabel) readAnnotations(buffer.subarray(at, at + 2 * perRecord), annotations);
      else
        for (let k = 0; k < perRecord; k++)
          values[i][record * perRecord + k] = buffer.readInt16LE(at + 2 * k) * gain + offset;
      at += 2 * perRecord;
    }
  }
  const channels = signals.flatMap(({ label, unit, perRecord }, i) =>
    label === annotationLabel || recordSeconds === 0
      ? []
      : [{ label, unit, rateHz: perRecord / recordSeconds, values: values[i] }],
  );
  return { channels, annotations: annotations.sort((a, b) => a.onset - b.onset), seconds: records * recordSeconds };
}

function readSignals(count: number, text: (at: number, length: number) => string): Signal[] {
  const field = (bytesBefore: number, width: number, i: number): string =>
    text(256 + bytesBefore * count + i * width, width);
  return Array.from({ length: count }, (_, i) => {
    const [low, high, digitalLow, digitalHigh] = [104, 112, 120, 128].map((before) => Number(field(before, 8, i)));
    const gain = digitalHigh === digitalLow ? 1 : (high - low) / (digitalHigh - digitalLow);
    return {
      label: field(0, 16, i),
      unit: field(96, 8, i),
      perRecord: Number(field(216, 8, i)),
      gain,
      offset: low - digitalLow * gain,
    };
  });
}

/** A time-stamped annotation list: `+onset[\x15duration]\x14text\x14…\0`. The first of each record only keeps time. */
function readAnnotations(bytes: Buffer, into: EdfAnnotation[]): void {
  for (const list of bytes.toString('utf8').split('\0')) {
    const [stamp, ...texts] = list.split('\u0014');
    const [onset, duration] = stamp.split('\u0015').map(Number);
    if (!Number.isFinite(onset)) continue;
    for (const text of texts)
      if (text.trim() !== '')
        into.push({ onset, duration: Number.isFinite(duration) ? duration : 0, text: text.trim() });
  }
}
