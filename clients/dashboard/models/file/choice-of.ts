import { limits } from '../../../../infra/contract/limits.ts';
import { Failure } from '../../fetch.ts';
import { formText } from '../form-text.ts';
import type { Details } from './body.ts';
import type { Choice } from './cut.ts';
import type { FilesSummary } from './summary.ts';

/** All values of the form. */
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

function seconds(values: FormData, name: string, words: string): number {
  const value = Number(formText(values, name) || Number.NaN);
  return Number.isFinite(value) ? value : refuse(name, `${words} has to be a number of seconds.`);
}

/** Classes by event. An event with an empty field is left out. */
function classesOf(values: FormData, { events }: FilesSummary): Record<string, string> {
  const classes = Object.fromEntries(
    events.flatMap((event, i) => {
      const label = formText(values, `class-${i}`);
      return label === '' ? [] : [[event.text, label]];
    }),
  );
  const counts = new Map<string, number>();
  for (const { text: name, count } of events)
    if (Object.hasOwn(classes, name)) counts.set(classes[name], (counts.get(classes[name]) ?? 0) + count);
  if (counts.size < limits.minClasses)
    refuse('class-0', `Name at least ${limits.minClasses} classes; so far there are ${counts.size}.`);
  return classes;
}

/** Reads the form of a create; throws a Failure that names the field. */
export function filledIn(values: FormData, summary: FilesSummary): FilledIn {
  const classes = classesOf(values, summary);
  const from = seconds(values, 'from', 'The beginning of the window');
  const to = seconds(values, 'to', 'The end of the window');
  if (to <= from) refuse('to', `The window ends at ${to} s, which is not after its beginning at ${from} s.`);
  const electrodes = values.getAll('electrodes').map(String);
  if (electrodes.length === 0) refuse('electrodes', 'Tick at least one channel.');
  const description = formText(values, 'description');
  if (description === '') refuse('description', 'Say in a few words what the task is and what each class means.');
  const hasBaseline = from < 0 && values.get('baseline') !== null;
  return {
    choice: { classes, window: [from, to], electrodes },
    details: {
      name: formText(values, 'name') || null,
      description,
      expires_at: formText(values, 'expires_at') || null,
      baselineSeconds:
        hasBaseline && -from >= limits.baselineSeconds.min ? Math.min(-from, limits.baselineSeconds.max) : null,
    },
    mode: values.get('mode') === 'live' ? 'live' : 'test',
  };
}
