import { useFieldError } from '../../ui/form.tsx';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { unitWords } from '../../ui/values.tsx';
import type { Draft } from '../file/draft.ts';
import type { ChannelSummary, FilesSummary } from '../file/summary.ts';
import { Notices } from '../notices.tsx';
import { ChannelNames } from './channel-names.tsx';
import { UnitQuestion } from './unit-question.tsx';

/** The channels of the recording: a checkbox for each electrode, and a reason for every other channel. */
export function Channels({
  summary,
  draft,
  onChange,
}: {
  readonly summary: FilesSummary;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}) {
  const { channels, rateHz, notices, needs } = summary;
  const error = useFieldError('electrodes');
  const electrodes = channels.filter(({ electrode }) => electrode !== null);
  const others = channels.filter(({ electrode }) => electrode === null);
  const units = [...new Set(electrodes.map(({ unit }) => unitWords(unit)))].filter((unit) => unit !== '').join(', ');
  const { said, leftOut } = draft;
  const say = (change: Partial<Said>): void => onChange({ said: { ...said, ...change } });
  const tick = (electrode: string, isOn: boolean): void =>
    onChange({ leftOut: isOn ? leftOut.filter((each) => each !== electrode) : [...leftOut, electrode] });
  return (
    <>
      <h3>Channels</h3>
      <p>
        {electrodes.length} of {channels.length} channels are electrodes, at {rateHz} Hz
        {units && (
          <>
            , in {units} as {said.unit === undefined ? 'the file says' : 'the file or you say'}
          </>
        )}
        .
      </p>
      <Notices notices={notices} />
      <UnitQuestion summary={summary} said={said} onSay={(next) => onChange({ said: next })} />
      {electrodes.length === 0 && (
        <p class="notice bad">
          None of the channels has the name of an electrode, so no trial can be sent. Say below which electrode each
          channel is.
        </p>
      )}
      {error && (
        <p class="wrong" id="electrodes-error">
          {error}
        </p>
      )}
      {electrodes.length > 0 && (
        <details open={electrodes.length <= 32 || error !== undefined}>
          <summary>
            Electrodes that are read ({electrodes.length - electrodes.filter(isIn(leftOut)).length} of{' '}
            {electrodes.length})
          </summary>
          <fieldset class="electrodes" aria-describedby={error ? 'electrodes-error' : undefined}>
            <legend class="unseen">Electrodes</legend>
            {electrodes.map(({ label, electrode }) => (
              <label key={label} class="choice">
                <input
                  type="checkbox"
                  name="electrodes"
                  value={electrode!}
                  checked={!leftOut.includes(electrode!)}
                  onChange={({ currentTarget }) => tick(electrode!, currentTarget.checked)}
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
      )}
      <ChannelNames
        channels={channels}
        others={others}
        said={said}
        caps={needs.caps}
        isOpen={electrodes.length === 0}
        onSay={say}
      />
    </>
  );
}

const isIn =
  (names: readonly string[]) =>
  ({ electrode }: ChannelSummary): boolean =>
    names.includes(electrode!);
