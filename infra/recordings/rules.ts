import rules from './reader-rules.json' with { type: 'json' };

const units: Readonly<Record<string, number>> = rules.unitsToMicrovolts;
const guesses: Readonly<Record<string, number>> = rules.unitGuesses;
const stages: Readonly<Record<string, string>> = rules.stagePattern;
const references: ReadonlySet<string> = new Set(rules.commonReferences);

/** Names of caps → electrode of each position. */
export const capMaps: Readonly<Record<string, Readonly<Record<string, string>>>> = rules.capMaps;

/** Words before an electrode's name, such as EEG. */
export const prefixes: readonly string[] = rules.prefixes;

/** Usual lengths of an epoch of sleep, seconds, the most usual one first. */
export const stageLengths: readonly number[] = rules.stageLengths;

/**
 * A trigger channel has at most so many different values and changes in at most that share of its samples. A value is
 * whole if it differs from a whole number by less than `wholeWithin`.
 */
export const triggerRules: Readonly<Record<'mostValues' | 'mostChangesPerSample' | 'wholeWithin', number>> =
  rules.triggers;

/** Channels that must have the same second name before it is taken for the reference of all of them. */
export const sharedReferenceElectrodes = rules.sharedReferenceElectrodes;

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const spelled = (text: string): string => text.trim().toLowerCase();

/** Factor from a unit to microvolts; undefined for other units. */
export const microvoltsPer = (unit: string): number | undefined => own(units, spelled(unit));

/** Factor for a missing or odd spelling that most likely means microvolts; undefined for other units. */
export const guessedMicrovoltsPer = (unit: string): number | undefined => own(guesses, spelled(unit));

/** Whether a text behind an electrode's name is a linked, common, average or mastoid reference. */
export const isCommonReference = (text: string): boolean => references.has(text.replaceAll(/\s/g, '').toUpperCase());

/** Whether the text of an event marks something other than a trial, such as a pause. */
export const marksNoTrial = (text: string): boolean => {
  const plain = spelled(text);
  return rules.notEventsExact.includes(plain) || rules.notEvents.some((each) => plain.startsWith(each));
};

/** Whether an annotation marks a bad part of the signal. */
export const marksBad = (text: string): boolean => spelled(text).startsWith(rules.badPrefix);

/** The sleep stage that a text names; undefined for other texts. */
export const stageOf = (text: string): string | undefined => own(stages, spelled(text).replaceAll(/\s+/g, ' '));
