import { canonicalName } from './template.ts';

/** Why a name is not an electrode. `alternatives` are the right names, if renaming is all that is needed. */
export interface Explanation {
  readonly message: string;
  readonly alternatives: readonly string[];
}

interface Rule {
  readonly pattern: RegExp;
  /** `name`: as the caller sent it. `all`: every name of the request. */
  explain(match: RegExpExecArray, name: string, all: readonly string[]): Explanation | null;
}

const REFERENCE =
  /^(ref|le|av|avg|ave|ar|car|average|common|linked|m1m2|a1a2|a1\+a2|m1\+m2|a12|m12|rest|csd|nose|g\d*)$/i;

/** 64-channel BioSemi cap, A1–A32 and B1–B32 in this order (facts of the cap's own map). */
export const biosemi64: readonly string[] = (
  'Fp1 AF7 AF3 F1 F3 F5 F7 FT7 FC5 FC3 FC1 C1 C3 C5 T7 TP7 CP5 CP3 CP1 P1 P3 P5 P7 P9 PO7 PO3 O1 Iz Oz POz Pz CPz ' +
  'Fpz Fp2 AF8 AF4 AFz Fz F2 F4 F6 F8 FT8 FC6 FC4 FC2 FCz Cz C2 C4 C6 T8 TP8 CP6 CP4 CP2 P2 P4 P6 P8 P10 PO8 PO4 O2'
).split(' ');

const remove = 'Remove its row from `x` and its name from `channels`';
const prefix = '(?:eeg|pol|ch|chan|channel|electrode|sensor)';
const capLabel = /^([A-DF-H])(\d{1,2})$/i;
/** A label that can only be a cap position: `A3`, `B12`, `C9`, `D1`. */
const onlyCap = (name: string): boolean => capLabel.test(name) && !canonicalName(name) && !/^a[12]$/i.test(name);

/** Banks of a BioSemi cap that these names must come from; empty if fewer than three names show it. */
export function capBanks(all: readonly string[]): ReadonlySet<string> {
  const labels = all.filter((name) => onlyCap(name));
  return new Set(labels.length < 3 ? [] : labels.map((name) => name[0].toUpperCase()));
}

/** True if all labels of the 64-channel cap are present, and no other name that looks like one. */
const isCap64 = (all: readonly string[]): boolean =>
  all.filter((name) => capLabel.test(name)).length === 64 &&
  new Set(all.map((name) => name.toUpperCase())).size === all.length &&
  all.every((name) => !capLabel.test(name) || (/^[ab]/i.test(name) && Number(name.slice(1)) <= 32));

const rowOfNoElectrode =
  (kind: string, near?: string): Rule['explain'] =>
  (_match, name) => ({
    message: `\`${name}\` is ${kind}, not a scalp electrode. ${remove}; ${near ?? 'no electrode name fits it'}.`,
    alternatives: [],
  });

/** The electrode that is meant by a name with a prefix, a suffix or other characters. */
const decorated = (name: string, site: string): Explanation => ({
  message:
    `\`${name}\` is not an electrode name: the service does not strip prefixes, suffixes or ` +
    `blanks. Send \`${site}\`.`,
  alternatives: [site],
});

/** One row per kind of name that is not an electrode; the first match explains. */
const rules: readonly Rule[] = [
  {
    pattern: new RegExp(String.raw`^\s*${prefix}?[\s:_.-]*([a-z]+\d*h?|[a-z]+z|[a-z]*0z)[\s:_.-]*$`, 'i'),
    explain: (match, name) => {
      const site = canonicalName(match[1].replace(/0(?=z)/i, 'O'));
      return site && !canonicalName(name) ? decorated(name, site) : null;
    },
  },
  {
    pattern: new RegExp(String.raw`^\s*(?:${prefix}[\s:_.-]*)?([a-z]+\d*h?)(?:\s*[-–/:_]\s*|\s+)([a-z0-9+]+)\s*$`, 'i'),
    explain: (match, name) => {
      const [first, second] = [canonicalName(match[1]), canonicalName(match[2])];
      if (!first) return null;
      if (REFERENCE.test(match[2])) return decorated(name, first);
      if (!second && !/^[am][12]$/i.test(match[2])) return null;
      const other = second ? `\`${second}\`` : `the reference \`${match[2]}\``;
      return {
        message:
          `\`${name}\` is a bipolar channel, the difference of \`${first}\` and ${other}: re-reference the ` +
          'recording so that every row is one electrode.',
        alternatives: [],
      };
    },
  },
  {
    pattern: /^e(\d{1,3})$/i,
    explain: (match, name, all) =>
      Number(match[1]) > 2 || all.some((other) => /^e(?:[3-9]|\d\d+)$/i.test(other))
        ? {
            message:
              `\`${name}\` is a number in an amplifier or net, most likely of a geodesic sensor net (E1 … E128, ` +
              `E1 … E256), not an electrode name: send the 10-20 or 10-10 name of the site from the net's map.`,
            alternatives: [],
          }
        : null,
  },
  {
    pattern: capLabel,
    explain: (match, name, all) => {
      if (/^a[12]$/i.test(name) && !all.some((other) => onlyCap(other))) return null;
      const site = isCap64(all)
        ? biosemi64['AB'.indexOf(match[1].toUpperCase()) * 32 + Number(match[2]) - 1]
        : undefined;
      return {
        message:
          `\`${name}\` is a cap-position label (BioSemi caps: A1 … B32 with 64 electrodes, A1 … D32 with 128), not ` +
          `an electrode name: send the 10-20 or 10-10 name from your cap's map.` +
          (site ? ` On the 64-channel cap \`${name}\` is \`${site}\`.` : ''),
        alternatives: site ? [site] : [],
      };
    },
  },
  {
    pattern: /^\s*(?:eeg[\s:_-]*)?cb[12]\s*$/i,
    explain: rowOfNoElectrode('a site of Neuroscan caps over the cerebellum, which the 10-05 system does not name'),
  },
  {
    pattern: new RegExp(
      String.raw`^\s*(?:eeg[\s:_-]*)?(a1|a2|m1|m2|lm|rm|mastoid.*|ear.*|tp9\/tp10|ref(?:erence)?|gnd|ground|cms|drl|` +
        String.raw`nose|a1\+a2|a1a2|m1m2|cz_?ref|vref)\s*$`,
      'i',
    ),
    explain: rowOfNoElectrode(
      'a reference or ground electrode',
      'the nearest electrode names beside the ear are `T9`, `TP9`, `T10` and `TP10`',
    ),
  },
  {
    pattern: /^\s*(?:eeg[\s:_-]*)?.*(eog|^roc\b|^loc\b|^e[12]([-_ ].*)?$|eye|veo|heo|blink)/i,
    explain: rowOfNoElectrode('an eye channel (EOG)', 'the nearest electrode names are `Fp1` and `Fp2`'),
  },
  {
    pattern: /ecg|ekg|cardi|heart|pulse|\bhr\b|ppg|pleth/i,
    explain: rowOfNoElectrode('a heart channel (ECG)'),
  },
  { pattern: /emg|chin|^leg|tib|muscle|submental|masseter/i, explain: rowOfNoElectrode('a muscle channel (EMG)') },
  {
    pattern:
      /trig|status|^sti|stim|event|marker|annot|^mkr|^dc\d|^din\d|^tti|counter|timestamp|^time$|digi|photo|^label/i,
    explain: rowOfNoElectrode('a trigger, status or marker channel'),
  },
  {
    pattern:
      /resp|thor|abdo|airflow|snore|spo2|sao2|temp|gsr|eda|acc|gyro|^aux|^ex(g|t)?\d|misc|^position|sound|mic$|audio/i,
    explain: rowOfNoElectrode('an auxiliary channel'),
  },
  {
    pattern: /^\s*(nz|nasion|lpa|rpa|inion)\s*$/i,
    explain: rowOfNoElectrode('an anatomical landmark', 'the nearest electrode names are `Fpz`, `T9`, `T10` and `Iz`'),
  },
  {
    pattern: /^\s*(?:(?:eeg|ch|chan|channel|sensor|electrode)?[\s_.-]*\d+|e\d+)\s*$/i,
    explain: (_match, name) => ({
      message:
        `\`${name}\` is a number in an amplifier or net, not an electrode name: send the 10-20 or ` +
        `10-10 name of the site it records.`,
      alternatives: [],
    }),
  },
];

/** Explains a name that is not an electrode by its kind; null if the kind is unknown (most likely a typing error). */
export function explainName(name: string, all: readonly string[]): Explanation | null {
  const plain = name.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  for (const { pattern, explain } of rules) {
    const match = pattern.exec(plain);
    const explanation = match && explain(match, name, all);
    if (explanation) return explanation;
  }
  return null;
}
