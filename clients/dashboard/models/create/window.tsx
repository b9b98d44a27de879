import { useState } from 'preact/hooks';
import { limits } from '../../../../infra/contract/limits.ts';
import { Field, Tick } from '../../ui/field.tsx';

/** Windows that the API recommends (spec, "Epoching"). */
const usualWindows: readonly { readonly task: string; readonly from: number; readonly to: number }[] = [
  { task: 'Event-related potentials', from: 0, to: 1 },
  { task: 'Motor imagery or movement', from: 0, to: 4 },
  { task: 'The same without the response to the cue', from: 1, to: 4 },
  { task: 'Sleep stages', from: 0, to: 30 },
];

/** The part around each event that is a trial. */
export function Window() {
  const [from, setFrom] = useState('0');
  const [to, setTo] = useState('4');
  return (
    <section aria-label="Window">
      <h2>3. Window</h2>
      <p>Choose which seconds around each event to use. Usual windows:</p>
      <div class="presets">
        {usualWindows.map((each) => (
          <button
            key={each.task}
            type="button"
            class="secondary outline small"
            onClick={() => {
              setFrom(String(each.from));
              setTo(String(each.to));
            }}
          >
            {each.task}: {each.from} to {each.to} s
          </button>
        ))}
      </div>
      <div class="pair">
        <Field
          name="from"
          label="From (s)"
          type="number"
          step="any"
          required
          value={from}
          onInput={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <Field
          name="to"
          label="To (s)"
          type="number"
          step="any"
          required
          value={to}
          onInput={({ currentTarget }) => setTo(currentTarget.value)}
        />
      </div>
      {Number(from) <= -limits.baselineSeconds.min && (
        <Tick
          name="baseline"
          defaultChecked
          label={`The ${-Number(from)} s before the event are a baseline`}
          hint="What they alone tell of the class is then measured as a control: it should be nothing."
        />
      )}
    </section>
  );
}
