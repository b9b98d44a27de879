import { limits } from '../../../../infra/contract/limits.ts';
import { Tick } from '../../ui/field.tsx';
import { useFieldError } from '../../ui/form.tsx';
import { plural } from '../../ui/values.tsx';
import { classesIn, trialsPerClass, type Draft } from '../file/draft.ts';
import type { EventSummary, FilesSummary } from '../file/summary.ts';

/** Most kinds of events that are listed one by one. */
const mostEvents = 200;

interface Props {
  readonly summary: FilesSummary;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** Every kind of event, with a field for the class of its trials. */
export function Events({ summary, draft, onChange }: Props) {
  const error = useFieldError('class-0');
  const { events, files } = summary;
  const { classesOfFiles } = draft;
  if (events.length === 0)
    return (
      <p class="notice bad">
        {files.length === 1 ? 'The file holds' : 'The files hold'} no events, so nothing says where trials begin. Save
        the recording with its events (EDF+ or BDF+), or choose it together with the file that holds them, such as a
        hypnogram.
      </p>
    );
  const change = (file: number, text: string, label: string): void =>
    onChange(
      classesOfFiles
        ? { classesOfFiles: classesOfFiles.map((each, i) => (i === file ? { ...each, [text]: label } : each)) }
        : { classes: { ...draft.classes, [text]: label } },
    );
  return (
    <>
      <p>
        Events mark what happened in the recording. Give each event a class name. Leave blank to ignore it. Use the same
        name to merge events. A class needs at least {limits.minTrialsPerClass} trials; 20 or more are better.
      </p>
      {error && (
        <p class="wrong" id="events-error">
          {error}
        </p>
      )}
      <div class="scroll" role="region" aria-label="Events of the recording" tabIndex={0}>
        <table class="events">
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">How often</th>
              <th scope="col">Class</th>
            </tr>
          </thead>
          {classesOfFiles ? (
            files.map(({ name, kinds }, file) => (
              <tbody key={file}>
                <tr>
                  <th scope="rowgroup" colSpan={3} class="file-name">
                    {name}
                  </th>
                </tr>
                <Rows
                  kinds={kinds}
                  classes={classesIn(draft, file)}
                  file={{ index: file, name }}
                  wrong={error !== undefined}
                  onName={(text, label) => change(file, text, label)}
                />
              </tbody>
            ))
          ) : (
            <tbody>
              <Rows
                kinds={events}
                classes={draft.classes}
                wrong={error !== undefined}
                onName={(text, label) => change(0, text, label)}
              />
            </tbody>
          )}
        </table>
      </div>
      {events.length > mostEvents && (
        <p>{plural(events.length - mostEvents, 'rarer kind')} of events cannot be chosen here.</p>
      )}
      <Counts counts={trialsPerClass(draft, summary)} />
      {files.length > 1 && (
        <Tick
          name="of-files"
          checked={classesOfFiles !== null}
          label="The same event means something else in another file"
          hint="Then you name the classes of each file."
          onChecked={(isOn) => onChange({ classesOfFiles: isOn ? files.map(() => draft.classes) : null })}
        />
      )}
    </>
  );
}

function Rows({
  kinds,
  classes,
  file,
  wrong,
  onName,
}: {
  readonly kinds: readonly EventSummary[];
  readonly classes: Readonly<Record<string, string>>;
  readonly file?: { readonly index: number; readonly name: string };
  readonly wrong: boolean;
  readonly onName: (text: string, label: string) => void;
}) {
  return (
    <>
      {kinds.slice(0, mostEvents).map(({ text, count, seconds, longest }, i) => {
        const isFirst = i === 0 && (file?.index ?? 0) === 0;
        return (
          <tr key={text}>
            <th scope="row">{text}</th>
            <td>
              {plural(count, 'time')}
              {longest > 0 && <small>, {span(seconds, longest)} s each</small>}
            </td>
            <td>
              <input
                type="text"
                name={isFirst ? 'class-0' : undefined}
                value={Object.hasOwn(classes, text) ? classes[text] : ''}
                onInput={({ currentTarget }) => onName(text, currentTarget.value)}
                maxLength={limits.labelCharacters}
                placeholder="left out"
                aria-label={`Class of the event ${text}${file ? ` in ${file.name}` : ''}`}
                aria-invalid={isFirst && wrong ? 'true' : undefined}
                aria-describedby={isFirst && wrong ? 'events-error' : undefined}
                autocomplete="off"
              />
            </td>
          </tr>
        );
      })}
    </>
  );
}

const tenth = (seconds: number): number => Math.round(seconds * 10) / 10;
const span = (shortest: number, longest: number): string =>
  tenth(shortest) === tenth(longest) ? String(tenth(longest)) : `${tenth(shortest)} to ${tenth(longest)}`;

/** The classes so far, with their trials; a class of too few is marked. */
function Counts({ counts }: { readonly counts: ReadonlyMap<string, number> }) {
  if (counts.size === 0) return null;
  return (
    <ul class="class-counts" aria-label="Classes so far">
      {[...counts].map(([label, number], i) => (
        <li key={label} class={`class-${i % 8}`}>
          <strong>{label}</strong> {number === Infinity ? 'long events, cut into trials' : plural(number, 'trial')}
          {number < limits.minTrialsPerClass && <span class="state bad"> (too few)</span>}
        </li>
      ))}
    </ul>
  );
}
