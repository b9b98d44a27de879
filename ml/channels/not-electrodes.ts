import { canonicalName } from './template.ts';

/** Why a name is not an electrode, and the names that would be right where renaming is the whole fix. */
export interface Explanation {
  readonly message: string;
  readonly alternatives: readonly string[];
}

interface Rule {
  readonly pattern: RegExp;
  explain(match: RegExpExecArray, all: readonly string[]): Explanation | null;
}

const REFERENCE =
  /^(ref|le|av|avg|ave|ar|car|average|common|linked|m1m2|a1a2|a1\+a2|m1\+m2|a12|m12|rest|csd|nose|g\d*)$/i;

/** 64-channel BioSemi cap, A1–A32 and B1–B32 in this order (facts of the cap's own map). */
export const biosemi64: readonly string[] = (
  'Fp1 AF7 AF3 F1 F3 F5 F7 FT7 FC5 FC3 FC1 C1 C3 C5 T7 TP7 CP5 CP3 CP1 P1 P3 P5 P7 P9 PO7 PO3 O1 Iz Oz POz Pz CPz ' +
  'Fpz Fp2 AF8 AF4 AFz Fz F2 F4 F6 F8 FT8 FC6 FC4 FC2 FCz Cz C2 C4 C6 T8 TP8 CP6 CP4 CP2 P2 P4 P6 P8 P10 PO8 PO4 O2'
).split(' ');

const remove = 'Remove its row from `x` and its name from `channels`';
const capLabel = /^([A-DF-H])(\d{1,2})$/i;
/** A label that can only be a cap position: `A3`, `B12`, `C9`, `D1`. */
const onlyCap = (name: string) => capLabel.test(name) && !canonicalName(name) && !/^[am][12]$/i.test(name.trim());

const rowOfNoElectrode =
  (kind: string, near?: string): Rule['explain'] =>
  (match) => ({
    message: `\`${match.input}\` is ${kind}, not a scalp electrode. ${remove}; ${near ?? 'no electrode name fits it'}.`,
    alternatives: [],
  });

/** One row per kind of name that is not an electrode; the first match explains. */
const rules: readonly Rule[] = [
  {
    pattern: /^\s*(?:eeg|ch|channel)?[\s:_.-]*([a-z]+\d*h?|[a-z]+z)[\s:_.-]*$/i,
    explain: (match, _all) => {
      const site = canonicalName(match[1]);
      if (!site || match[1] === match.input) return null;
      return {
        message:
          `\`${match.input}\` is not an electrode name: the service does not strip prefixes, suffixes or ` +
          `blanks. The nearest valid name is \`${site}\`.`,
        alternatives: [site],
      };
    },
  },
  {
    pattern: /^\s*(?:eeg[\s:_.-]*)?([a-z]+\d*h?)\s*[-–/:_]\s*([a-z0-9+]+)\s*$/i,
    explain: (match) => {
      const [first, second] = [canonicalName(match[1]), canonicalName(match[2])];
      if (first && second) {
        return {
          message:
            `\`${match.input}\` is a bipolar channel, the difference of \`${first}\` and \`${second}\`: ` +
            `re-reference the recording so that every row is one electrode (the nearest valid names are ` +
            `\`${first}\` and \`${second}\`).`,
          alternatives: [],
        };
      }
      if (first && REFERENCE.test(match[2])) {
        return {
          message:
            `\`${match.input}\` is not an electrode name: the service does not strip prefixes or ` +
            `reference suffixes. The nearest valid name is \`${first}\`.`,
          alternatives: [first],
        };
      }
      if (first && /^[am][12]$/i.test(match[2])) {
        return {
          message:
            `\`${match.input}\` is a bipolar channel, \`${first}\` against the reference ` +
            `\`${match[2]}\`: re-reference the recording so that every row is one electrode (the nearest valid ` +
            `name is \`${first}\`).`,
          alternatives: [],
        };
      }
      return null;
    },
  },
  {
    pattern: capLabel,
    explain: (match, all) => {
      const label = match.input;
      if (/^a[12]$/i.test(label) && !all.some((other) => onlyCap(other))) return null;
      const half = 'AB'.indexOf(match[1].toUpperCase());
      const number = Number(match[2]);
      const other = all.some((name) => /^[cdf-h]\d+$/i.test(name) && onlyCap(name));
      const site = half >= 0 && number >= 1 && number <= 32 && !other ? biosemi64[half * 32 + number - 1] : undefined;
      const hint = site ? ` On a 64-channel BioSemi cap \`${label}\` is \`${site}\`.` : '';
      return {
        message:
          `\`${label}\` is a cap-position label, not an electrode name: send the 10-20 or 10-10 name ` +
          `from your cap's map.${hint}`,
        alternatives: site ? [site] : [],
      };
    },
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
    explain: (match) => ({
      message:
        `\`${match.input}\` is a number in an amplifier or net, not an electrode name: send the 10-20 or ` +
        `10-10 name of the site it records.`,
      alternatives: [],
    }),
  },
];

/**
 * Explains a name that is not an electrode by its kind; null where no kind is recognised (a typing error, most likely).
 */
export function explainName(name: string, all: readonly string[]): Explanation | null {
  for (const { pattern, explain } of rules) {
    const match = pattern.exec(name);
    const explanation = match && explain(match, all);
    if (explanation) return explanation;
  }
  return null;
}
