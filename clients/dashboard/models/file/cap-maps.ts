/** A cap whose recordings name channels by the socket of the amplifier. */
export interface CapMap {
  readonly title: string;
  /** Electrodes in the order of the channels A1 to A32, then B1 to B32. */
  readonly electrodes: readonly string[];
}

/** Layouts of the maker (BioSemi, "Headcaps"). */
export const capMaps: Readonly<Record<string, CapMap>> = {
  'biosemi-16': {
    title: 'BioSemi, 16 electrodes',
    electrodes: 'Fp1 Fp2 F4 Fz F3 T7 C3 Cz C4 T8 P4 Pz P3 O1 Oz O2'.split(' '),
  },
  'biosemi-32': {
    title: 'BioSemi, 32 electrodes',
    electrodes: (
      'Fp1 AF3 F7 F3 FC1 FC5 T7 C3 CP1 CP5 P7 P3 Pz PO3 O1 Oz O2 PO4 P4 P8 CP6 CP2 C4 T8 FC6 FC2 F4 F8 AF4 Fp2 Fz ' +
      'Cz'
    ).split(' '),
  },
  'biosemi-64': {
    title: 'BioSemi, 64 electrodes',
    electrodes: (
      'Fp1 AF7 AF3 F1 F3 F5 F7 FT7 FC5 FC3 FC1 C1 C3 C5 T7 TP7 CP5 CP3 CP1 P1 P3 P5 P7 P9 PO7 PO3 O1 Iz Oz POz Pz ' +
      'CPz Fpz Fp2 AF8 AF4 AFz Fz F2 F4 F6 F8 FT8 FC6 FC4 FC2 FCz Cz C2 C4 C6 T8 TP8 CP6 CP4 CP2 P2 P4 P6 P8 P10 ' +
      'PO8 PO4 O2'
    ).split(' '),
  },
};

/** Names of the channels of a file by a cap map: `A1` or `1-A1` is its first electrode, `B1` its thirty-third. */
export function namesOfCap(labels: readonly string[], { electrodes }: CapMap): Record<string, string> {
  return Object.fromEntries(
    labels.flatMap((label) => {
      const [, bank, number] = /^(?:\d+-)?([AB])(\d{1,2})$/i.exec(label.trim()) ?? [];
      if (bank === undefined) return [];
      const electrode = electrodes[(bank.toUpperCase() === 'A' ? 0 : 32) + Number(number) - 1];
      return electrode === undefined ? [] : [[label, electrode]];
    }),
  );
}

/** Names as pasted: a channel and its electrode on each line, divided by a tab, comma, semicolon, `=` or blanks. */
export function pastedNames(text: string, labels: readonly string[]): Record<string, string> {
  const byName = new Map(labels.map((label) => [label.trim().toLowerCase(), label]));
  return Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [left, right] = line
        .trim()
        .split(/\s*[\t,;=]\s*|\s+(?=\S+$)/)
        .map((cell) => cell.trim());
      const label = byName.get((left ?? '').toLowerCase());
      return label !== undefined && right ? [[label, right]] : [];
    }),
  );
}
