interface EdfContent {
  readonly rateHz: number;
  readonly channels: readonly { readonly label: string; readonly unit: string; readonly values: readonly number[] }[];
  /** Seconds of a file without channels. */
  readonly seconds?: number;
  readonly annotations: readonly { readonly onset: number; readonly duration: number; readonly text: string }[];
}

const annotationBytes = 120;

/** An EDF+C file in records of one second, for tests of readers; annotations go into the first records, one each. */
export function writeEdf({ rateHz, channels, annotations, seconds = 0 }: EdfContent): Uint8Array {
  const records = channels.length === 0 ? seconds : channels[0].values.length / rateHz;
  const extent = channels.map(({ values }) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-6));
  const column = (width: number, cells: readonly (string | number)[]): string =>
    cells.map((cell) => String(cell).slice(0, width).padEnd(width)).join('');
  const header = [
    column(8, ['0']),
    column(80, ['X X X X', 'Startdate X X X X']),
    column(8, ['01.01.26', '00.00.00', 256 * (channels.length + 2)]),
    column(44, ['EDF+C']),
    column(8, [records, 1]),
    column(4, [channels.length + 1]),
    column(16, [...channels.map(({ label }) => label), 'EDF Annotations']),
    column(
      80,
      Array.from({ length: channels.length + 1 }, () => ''),
    ),
    column(8, [...channels.map(({ unit }) => unit), '']),
    column(8, [...extent.map((value) => -value), -1]),
    column(8, [...extent, 1]),
    column(8, [...channels.map(() => -32_768), -32_768]),
    column(8, [...channels.map(() => 32_767), 32_767]),
    column(
      80,
      Array.from({ length: channels.length + 1 }, () => ''),
    ),
    column(8, [...channels.map(() => rateHz), annotationBytes / 2]),
    column(
      32,
      Array.from({ length: channels.length + 1 }, () => ''),
    ),
  ].join('');
  const data = Buffer.alloc(records * (channels.length * 2 * rateHz + annotationBytes));
  let at = 0;
  for (let record = 0; record < records; record++) {
    channels.forEach(({ values }, i) => {
      for (let k = 0; k < rateHz; k++, at += 2)
        data.writeInt16LE(
          Math.round(((values[record * rateHz + k] + extent[i]) / (2 * extent[i])) * 65_535) - 32_768,
          at,
        );
    });
    const note = annotations[record];
    data.write(
      `+${record}\u0014\u0014\0${note ? `+${note.onset}\u0015${note.duration}\u0014${note.text}\u0014\0` : ''}`,
      at,
      'utf8',
    );
    at += annotationBytes;
  }
  return new Uint8Array(Buffer.concat([Buffer.from(header, 'latin1'), data]));
}
