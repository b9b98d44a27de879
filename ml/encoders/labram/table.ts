import { canonicalName } from '../../channels/index.ts';

/**
 * Electrodes that have a learned place in LaBraM, in the order of its table of places (`standard_1020` of utils.py,
 * github.com/935963004/LaBraM, commit c431221): the first has row 1, since row 0 is of the class token. Rows 121 to 128
 * are of bipolar derivations, which no electrode has.
 */
const electrodes =
  `FP1 FPZ FP2 AF9 AF7 AF5 AF3 AF1 AFZ AF2 AF4 AF6 AF8 AF10 F9 F7 F5 F3 F1 FZ F2 F4 F6 F8 F10 FT9 FT7 FC5 FC3 FC1 FCZ
   FC2 FC4 FC6 FT8 FT10 T9 T7 C5 C3 C1 CZ C2 C4 C6 T8 T10 TP9 TP7 CP5 CP3 CP1 CPZ CP2 CP4 CP6 TP8 TP10 P9 P7 P5 P3 P1
   PZ P2 P4 P6 P8 P10 PO9 PO7 PO5 PO3 PO1 POZ PO2 PO4 PO6 PO8 PO10 O1 OZ O2 O9 CB1 CB2 IZ O10 T3 T5 T4 T6 M1 M2 A1 A2
   CFC1 CFC2 CFC3 CFC4 CFC5 CFC6 CFC7 CFC8 CCP1 CCP2 CCP3 CCP4 CCP5 CCP6 CCP7 CCP8 T1 T2 FTT9H TTP7H TPP9H FTT10H TPP8H
   TPP10H`.split(/\s+/);

/** Rows of the table, that of the class token among them. */
export const tableRows = 129;

const rows = new Map<string, number>();
for (const [index, electrode] of electrodes.entries()) {
  const name = canonicalName(electrode);
  // T3 to T6 stand in the table beside T7, T8, P7 and P8: an electrode is read by its name of today.
  if (name !== undefined && !rows.has(name)) rows.set(name, index + 1);
}

/** Row of an electrode in LaBraM's table of places, 1 to 120, any case and old names; undefined where it has none. */
export function rowOf(name: string): number | undefined {
  const known = canonicalName(name);
  return known === undefined ? undefined : rows.get(known);
}
