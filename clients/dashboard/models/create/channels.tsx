import { useFieldError } from '../../ui/form.tsx';
import type { FilesSummary } from '../file/summary.ts';

/** The channels of the recording: a checkbox for each electrode, and a reason for every other channel. */
export function Channels({ channels, rateHz }: Pick<FilesSummary, 'channels' | 'rateHz'>) {
  const error = useFieldError('electrodes');
  const electrodes = channels.filter(({ electrode }) => electrode !== null);
  const others = channels.filter(({ electrode }) => electrode === null);
  const units = [...new Set(electrodes.map(({ unit }) => unit))].join(', ');
  return (
    <section aria-label="Channels">
      <h2>4. Channels</h2>
      <p>
        {electrodes.length} of {channels.length} channels are electrodes, at {rateHz} Hz
        {units && <>, in {units} as the file says</>}.
      </p>
      {electrodes.length === 0 && (
        <p class="notice bad">None of the channels has the name of an electrode, so no trial can be sent.</p>
      )}
      {error && (
        <p class="wrong" id="electrodes-error">
          {error}
        </p>
      )}
      <details open={electrodes.length <= 32 || error !== undefined}>
        <summary>Electrodes that are read</summary>
        <fieldset class="electrodes" aria-describedby={error ? 'electrodes-error' : undefined}>
          <legend class="unseen">Electrodes</legend>
          {electrodes.map(({ label, electrode }) => (
            <label key={label} class="choice">
              <input
                type="checkbox"
                name="electrodes"
                value={electrode!}
                defaultChecked
                aria-invalid={error ? 'true' : undefined}
                aria-describedby={error ? 'electrodes-error' : undefined}
              />
              <span>
                {electrode}
                {label !== electrode && <small> ({label})</small>}
              </span>
            </label>
          ))}
        </fieldset>
      </details>
      {others.length > 0 && (
        <details open={others.length <= 6}>
          <summary>
            {others.length === 1 ? 'One channel is' : `${others.length} channels are`} left out, and why
          </summary>
          <fieldset class="left-out">
            <legend class="unseen">Channels that are left out</legend>
            {others.map(({ label, reason }, i) => (
              <label key={i} class="choice">
                <input type="checkbox" disabled />
                <span>
                  {label === '' ? '(no name)' : label} <small>{reason}</small>
                </span>
              </label>
            ))}
          </fieldset>
        </details>
      )}
    </section>
  );
}
