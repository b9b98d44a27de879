import { limits } from '../../../../infra/contract/limits.ts';
import { Failure } from '../../fetch.ts';
import type { Details } from './body.ts';
import type { Choice } from './cut.ts';
import { classesIn, type Draft } from './draft.ts';
import type { FilesSummary } from './summary.ts';

/** All values of the form, checked. */
export interface FilledIn {
  readonly choice: Choice;
  readonly details: Details;
  readonly mode: 'live' | 'test';
}

/** Throws a failure of one field. */
const refuse = (field: string, message: string): never => {
  throw new Failure(422, {
    type: 'invalid_request_error',
    code: 'INVALID_REQUEST',
    message,
    field,
    alternatives: [],
    details: { request_id: '' },
  });
};

function seconds(typed: string, name: string, words: string): number {
  const value = Number(typed.trim() || Number.NaN);
  return Number.isFinite(value) ? value : refuse(name, `${words} has to be a number of seconds.`);
}

/** The events that have a class, in `classes`. */
const named = (classes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(classes).flatMap(([text, label]) => (label.trim() === '' ? [] : [[text, label.trim()]])),
  );

/** Classes by event of every file. Events that no file has are left out. */
function classesOf(draft: Draft, { files }: FilesSummary): Record<string, string>[] {
  const ofFiles = files.map(({ kinds }, i) => {
    const classes = named(classesIn(draft, i));
    return Object.fromEntries(
      kinds.flatMap(({ text }) => (Object.hasOwn(classes, text) ? [[text, classes[text]]] : [])),
    );
  });
  const labels = new Set(ofFiles.flatMap((each) => Object.values(each)));
  if (labels.size < limits.minClasses)
    refuse('class-0', `Name at least ${limits.minClasses} classes; so far there are ${labels.size}.`);
  return ofFiles;
}

/** Reads the settings of a create; throws a Failure that names the field. */
export function filledIn(draft: Draft, summary: FilesSummary): FilledIn {
  const ofFiles = classesOf(draft, summary);
  const from = seconds(draft.from, 'from', 'The beginning of the window');
  const to = seconds(draft.to, 'to', 'The end of the window');
  if (to <= from) refuse('to', `The window ends at ${to} s, which is not after its beginning at ${from} s.`);
  const electrodes = electrodesOf(draft, summary);
  if (electrodes.length === 0) refuse('electrodes', 'Tick at least one channel.');
  const description = draft.description.trim();
  if (description === '') refuse('description', 'Say in a few words what the task is and what each class means.');
  return {
    choice: {
      classes: Object.fromEntries(ofFiles.flatMap((each) => Object.entries(each))),
      window: [from, to],
      electrodes,
      ...(draft.classesOfFiles
        ? { classesOfFile: Object.fromEntries(summary.files.map(({ name }, i) => [name, ofFiles[i]])) }
        : {}),
      ...(draft.cutSpans ? { cutSpans: true } : {}),
      said: draft.said,
    },
    details: {
      name: draft.name.trim() || null,
      description,
      expires_at: draft.expiresAt || null,
      baselineSeconds:
        draft.hasBaseline && -from >= limits.baselineSeconds.min ? Math.min(-from, limits.baselineSeconds.max) : null,
      ...(draft.collects ? { collects: true } : {}),
    },
    mode: draft.mode,
  };
}

/** The electrodes that are ticked, in the order of the file. */
export const electrodesOf = ({ leftOut }: Pick<Draft, 'leftOut'>, { channels }: FilesSummary): string[] =>
  channels.flatMap(({ electrode }) => (electrode !== null && !leftOut.includes(electrode) ? [electrode] : []));
