import { limits } from '../../../../infra/contract/limits.ts';
import { plural } from '../../ui/values.tsx';
import type { EventSummary } from '../file/summary.ts';
import type { Meanings, Starts } from './starts.ts';

/** Most kinds of events that are listed one by one. */
const mostEvents = 100;

interface Props {
  readonly starts: Starts;
  readonly events: readonly EventSummary[];
  readonly classes: readonly string[];
  /** Length of a trial of the model. */
  readonly seconds: number;
  readonly onChange: (starts: Starts) => void;
}

/** Where trials begin: at events, or every few seconds. */
export function StartsForm({ starts, events, classes, seconds, onChange }: Props) {
  const { meanings } = starts;
  const lasting = events.filter((each) => each.seconds >= seconds / 2);
  const listed = starts.kind === 'events' ? events : lasting;
  return (
    <fieldset class="field starts">
      <legend>Where do trials begin?</legend>
      <label class="choice">
        <input
          type="radio"
          name="starts"
          checked={starts.kind === 'events'}
          disabled={events.length === 0}
          onChange={() => onChange({ kind: 'events', meanings, from: 0 })}
        />
        <span>
          At events of the recording
          {events.length === 0 && <small class="hint">This file has no events.</small>}
        </span>
      </label>
      <label class="choice">
        <input
          type="radio"
          name="starts"
          checked={starts.kind === 'every'}
          onChange={() => onChange({ kind: 'every', meanings, step: seconds })}
        />
        <span>Every few seconds, over the whole recording</span>
      </label>
      {starts.kind === 'events' ? (
        <Seconds
          label="A trial begins"
          after={`seconds after its event, and lasts ${rounded(seconds)} s`}
          value={starts.from}
          onChange={(from) => onChange({ ...starts, from })}
        />
      ) : (
        <Seconds
          label="A trial begins every"
          after={`seconds, and lasts ${rounded(seconds)} s`}
          value={starts.step}
          min={0.1}
          onChange={(step) => onChange({ ...starts, step })}
        />
      )}
      {listed.length > 0 && (
        <EventRows
          kind={starts.kind}
          events={listed.slice(0, mostEvents)}
          classes={classes}
          meanings={meanings}
          onChange={(next) => onChange({ ...starts, meanings: next })}
        />
      )}
      {listed.length > mostEvents && <p>{plural(listed.length - mostEvents, 'rarer kind')} of events are left out.</p>}
    </fieldset>
  );
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function Seconds({
  label,
  after,
  value,
  min,
  onChange,
}: {
  readonly label: string;
  readonly after: string;
  readonly value: number;
  readonly min?: number;
  readonly onChange: (value: number) => void;
}) {
  return (
    <label class="inline">
      <span>{label}</span>
      <input
        type="number"
        step="any"
        min={min}
        value={value}
        onInput={({ currentTarget }) => {
          const next = currentTarget.valueAsNumber;
          if (Number.isFinite(next) && (min === undefined || next >= min)) onChange(next);
        }}
      />
      <span>{after}</span>
    </label>
  );
}

/** Values of the choice that are no classes. A class may have any other name. */
const leftOut = '\u0000left out';
const notKnown = '\u0000not known';

/** A row for each kind of event: left out, or labelled with its class if the person knows it. */
function EventRows({
  kind,
  events,
  classes,
  meanings,
  onChange,
}: Pick<Props, 'events' | 'classes'> & {
  readonly kind: Starts['kind'];
  readonly meanings: Meanings;
  readonly onChange: (meanings: Meanings) => void;
}) {
  const choose = (text: string, value: string): void => {
    const others = Object.entries(meanings).filter(([each]) => each !== text);
    const own = value === leftOut ? [] : [[text, value === notKnown ? '' : value] as const];
    onChange(Object.fromEntries([...others, ...own]));
  };
  const valueOf = (text: string): string => (Object.hasOwn(meanings, text) ? meanings[text] || notKnown : leftOut);
  return (
    <>
      <p class="hint">
        {kind === 'events'
          ? 'If you know what an event means, choose its class. The page then shows how many labels are right.'
          : 'If events last over whole trials, as sleep stages do, choose their classes to compare them with the labels.'}
      </p>
      <div class="scroll" role="region" aria-label="Events of the recording" tabIndex={0}>
        <table class="events">
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col" class="number">
                How often
              </th>
              <th scope="col">{kind === 'events' ? 'Use it as' : 'It means'}</th>
            </tr>
          </thead>
          <tbody>
            {events.map(({ text, count }) => (
              <tr key={text}>
                <th scope="row">{text.slice(0, limits.labelCharacters)}</th>
                <td class="number">{count}</td>
                <td>
                  <select
                    aria-label={`Use of the event ${text}`}
                    value={valueOf(text)}
                    onChange={({ currentTarget }) => choose(text, currentTarget.value)}
                  >
                    <option value={leftOut}>{kind === 'events' ? 'Leave out' : 'Not compared'}</option>
                    {kind === 'events' && <option value={notKnown}>Label it, class not known</option>}
                    <optgroup label={kind === 'events' ? 'Label it, and compare with' : 'Compare with'}>
                      {classes.map((name) => (
                        <option key={name} value={name}>
                          {name}
                        </option>
                      ))}
                    </optgroup>
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
