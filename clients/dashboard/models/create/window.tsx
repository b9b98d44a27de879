import { limits } from '../../../../infra/contract/limits.ts';
import { Field, Tick } from '../../ui/field.tsx';
import { classesIn, type Draft } from '../file/draft.ts';
import type { FilesSummary } from '../file/summary.ts';

/** Windows that the API recommends (spec, "Epoching"). */
const usualWindows: readonly { readonly task: string; readonly from: number; readonly to: number }[] = [
  { task: 'Event-related potentials', from: 0, to: 1 },
  { task: 'Motor imagery or movement', from: 0, to: 4 },
  { task: 'The same without the response to the cue', from: 1, to: 4 },
  { task: 'Sleep stages', from: 0, to: 30 },
];

/** The part around each event that is a trial. */
export function Window({
  summary,
  draft,
  onChange,
}: {
  readonly summary: FilesSummary;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}) {
  const { from, to } = draft;
  const length = Number(to) - Number(from);
  const longest = Math.max(
    0,
    ...summary.files.flatMap(({ kinds }, i) =>
      kinds.filter(({ text }) => (classesIn(draft, i)[text] ?? '') !== '').map((each) => each.longest),
    ),
  );
  return (
    <>
      <h3>Window</h3>
      <p>A trial is the part of the signal around one event. Choose which seconds around each event to use.</p>
      <div class="presets">
        {usualWindows.map((each) => (
          <button
            key={each.task}
            type="button"
            class="secondary outline small"
            aria-pressed={Number(from) === each.from && Number(to) === each.to}
            onClick={() => onChange({ from: String(each.from), to: String(each.to) })}
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
          onInput={({ currentTarget }) => onChange({ from: currentTarget.value })}
        />
        <Field
          name="to"
          label="To (s)"
          type="number"
          step="any"
          required
          value={to}
          onInput={({ currentTarget }) => onChange({ to: currentTarget.value })}
        />
      </div>
      {Number(from) <= -limits.baselineSeconds.min && (
        <Tick
          name="baseline"
          checked={draft.hasBaseline}
          onChecked={(hasBaseline) => onChange({ hasBaseline })}
          label={`The ${-Number(from)} s before the event are a baseline`}
          hint="What they alone tell of the class is then measured as a control: it should be nothing."
        />
      )}
      {length > 0 && (longest >= 2 * length || draft.cutSpans) && (
        <Tick
          name="cuts-long"
          checked={draft.cutSpans}
          onChecked={(cutSpans) => onChange({ cutSpans })}
          label={`Cut long events into trials of ${Math.round(length * 1000) / 1000} s`}
          hint={
            `Some events last up to ${Math.round(longest)} s. Without this, each of them gives one trial, at its ` +
            'beginning.'
          }
        />
      )}
    </>
  );
}
