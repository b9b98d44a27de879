import { limits } from '../../../../infra/contract/limits.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { marksNoTrial } from '../../../../infra/recordings/rules.ts';
import { browserStore, draftPlace } from '../../browser-store.ts';
import type { EventSummary, FilesSummary } from './summary.ts';

/** All settings of a create, as the form has them. Files are no part of it. */
export interface Draft {
  /** Event → class; empty or absent: the event is left out. */
  readonly classes: Readonly<Record<string, string>>;
  /** Classes of each file, in their order, if an event does not mean the same in every file; null: `classes` holds. */
  readonly classesOfFiles: readonly Readonly<Record<string, string>>[] | null;
  /** Seconds from the event, as typed. */
  readonly from: string;
  readonly to: string;
  readonly hasBaseline: boolean;
  readonly cutSpans: boolean;
  /** Electrodes that the person unticked. */
  readonly leftOut: readonly string[];
  /** What the person said about the files. */
  readonly said: Said;
  readonly description: string;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly expiresAt: string;
  /** The model collects trials, and is fitted later. */
  readonly collects: boolean;
}

export const emptyDraft: Draft = {
  classes: {},
  classesOfFiles: null,
  from: '0',
  to: '4',
  hasBaseline: true,
  cutSpans: false,
  leftOut: [],
  said: {},
  description: '',
  name: '',
  mode: 'test',
  expiresAt: '',
  collects: false,
};

/** The settings of the last visit; null: there are none. */
export function storedDraft(): Draft | null {
  const value = browserStore.read(draftPlace) as Partial<Draft> | null;
  if (typeof value !== 'object' || value === null) return null;
  const sameKind = Object.entries(emptyDraft).every(([name, empty]) => {
    const own = value[name as keyof Draft];
    return name === 'classesOfFiles' ? own === null || Array.isArray(own) : typeof own === typeof empty;
  });
  return sameKind ? (value as Draft) : null;
}
export const storeDraft = (draft: Draft): void => browserStore.write(draftPlace, draft);
export const dropDraft = (): void => browserStore.remove(draftPlace);

/** Most kinds of events that are taken for classes without a person. */
const mostClasses = 8;
const isStage = (text: string): boolean => /^(sleep )?stage /i.test(text);

/** A class named after its event: `Sleep stage W` becomes `W`, `left_fist` becomes `left fist`. */
const classOf = (text: string): string =>
  Array.from(
    text
      .replace(/^(sleep )?stage /i, '')
      .replace(/^(stimulus|trigger|event)[/ :]+/i, '')
      .replaceAll('_', ' ')
      .trim() || text,
  )
    .slice(0, limits.labelCharacters)
    .join('');

/** Classes of the events that look like trials; empty if they are fewer than two kinds or too many to be meant. */
function classesFromEvents(events: readonly EventSummary[]): Record<string, string> {
  const likely = events.filter(
    ({ text, count }) =>
      !marksNoTrial(text) &&
      !/^(sleep )?stage \?$|^movement time$/i.test(text) &&
      (count >= limits.minTrialsPerClass || isStage(text)),
  );
  const names = new Set(likely.map(({ text }) => classOf(text)));
  if (names.size < limits.minClasses || names.size > mostClasses) return {};
  return Object.fromEntries(likely.map(({ text }) => [text, classOf(text)]));
}

/**
 * The draft for new files. It keeps what the person chose before where an event of that name exists, and fills in the
 * rest from the events.
 */
export function draftFor(before: Draft, { events, files }: FilesSummary): Draft {
  const known = events.some(({ text }) => (before.classes[text] ?? '') !== '');
  if (known) {
    const { classesOfFiles } = before;
    return classesOfFiles && classesOfFiles.length !== files.length ? { ...before, classesOfFiles: null } : before;
  }
  const classes = classesFromEvents(events);
  const wereStages = before.cutSpans && before.from === '0' && before.to === '30';
  const stages = Object.keys(classes).length > 0 && Object.keys(classes).every(isStage);
  return {
    ...before,
    classes,
    classesOfFiles: null,
    ...(stages ? { from: '0', to: '30' } : wereStages ? { from: emptyDraft.from, to: emptyDraft.to } : {}),
  };
}

/** The answers that hold for other files too: all but the unit and the rate, which can differ. */
export function saidOfOtherFiles({ unit: _unit, rateHz: _rateHz, ...said }: Said): Said {
  return said;
}

/** The classes that hold for one file. */
export const classesIn = ({ classes, classesOfFiles }: Draft, file: number): Readonly<Record<string, string>> =>
  classesOfFiles?.[file] ?? classes;

/** How many trials each class has, before those at the edges of files are left out. */
export function trialsPerClass(draft: Draft, { files }: FilesSummary): Map<string, number> {
  const window = Number(draft.to) - Number(draft.from);
  const found = new Map<string, number>();
  files.forEach(({ kinds }, i) => {
    const classes = classesIn(draft, i);
    for (const { text, count, longest } of kinds) {
      const label = (Object.hasOwn(classes, text) ? classes[text] : '').trim();
      if (label === '') continue;
      const isCut = draft.cutSpans && window > 0 && longest >= 2 * window;
      // How often long events are cut is known only after the cut.
      found.set(label, isCut || found.get(label) === Infinity ? Infinity : (found.get(label) ?? 0) + count);
    }
  });
  return found;
}
