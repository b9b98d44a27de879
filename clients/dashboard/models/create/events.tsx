import { limits } from '../../../../infra/contract/limits.ts';
import { useFieldError } from '../../ui/form.tsx';
import { plural } from '../../ui/values.tsx';
import type { FilesSummary } from '../file/summary.ts';

/** Most kinds of events that are listed one by one. */
const mostEvents = 200;

/** Every kind of event, with a field for the class of its trials. */
export function Events({ events }: { readonly events: FilesSummary['events'] }) {
  const error = useFieldError('class-0');
  return (
    <section aria-label="Events">
      <h2>2. Events</h2>
      {events.length === 0 ? (
        <p class="notice bad">
          It holds no annotations, so nothing says where trials begin. Save it as EDF+ or BDF+ with annotations.
        </p>
      ) : (
        <>
          <p>
            Give each event a class name. Leave blank to ignore it. Use the same name to merge events. A class needs at
            least {limits.minTrialsPerClass} trials; 20 or more are better.
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
              <tbody>
                {events.slice(0, mostEvents).map(({ text, count, seconds }, i) => (
                  <tr key={text}>
                    <th scope="row">{text}</th>
                    <td>
                      {count}
                      {seconds > 0 && <small> of {Math.round(seconds * 10) / 10} s</small>}
                    </td>
                    <td>
                      <input
                        type="text"
                        name={`class-${i}`}
                        maxLength={limits.labelCharacters}
                        placeholder="left out"
                        aria-label={`Class of the event ${text}`}
                        aria-invalid={i === 0 && error ? 'true' : undefined}
                        aria-describedby={i === 0 && error ? 'events-error' : undefined}
                        autocomplete="off"
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {events.length > mostEvents && (
            <p>{plural(events.length - mostEvents, 'rarer kind')} of events cannot be chosen here.</p>
          )}
        </>
      )}
    </section>
  );
}
