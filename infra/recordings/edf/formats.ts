/** What tells EDF (Kemp et al. 1992), EDF+ (Kemp & Olivan 2003), BDF and BDF+ (BioSemi) apart. */
export interface RecordingFormat {
  readonly name: 'EDF' | 'BDF';
  /** The first eight bytes. */
  readonly magic: string;
  /** Bytes of one sample: a little-endian two's complement integer. */
  readonly sampleBytes: 2 | 3;
  /** Label of the signals that hold lists of annotations. */
  readonly annotationLabel: string;
  /** Label, in lower case, of the signal whose low 16 bits are triggers; null: the format has none. */
  readonly statusLabel: string | null;
}

export const formats: readonly RecordingFormat[] = [
  { name: 'EDF', magic: '0       ', sampleBytes: 2, annotationLabel: 'EDF Annotations', statusLabel: null },
  { name: 'BDF', magic: '\u00FFBIOSEMI', sampleBytes: 3, annotationLabel: 'BDF Annotations', statusLabel: 'status' },
];
