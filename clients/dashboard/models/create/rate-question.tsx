import { useId, useState } from 'preact/hooks';

/** Asks for the sampling rate of a recording that does not say it. */
export function RateQuestion({ onRate }: { readonly onRate: (rateHz: number) => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const rateHz = Number(typed);
  const isUsable = rateHz > 0 && rateHz <= 100_000;
  return (
    <div class="field">
      <label for={id}>How many samples does it have in a second?</label>
      <input
        id={id}
        type="number"
        min="1"
        max="100000"
        step="any"
        inputMode="decimal"
        value={typed}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget: { value } }) => setTyped(value)}
      />
      <small id={`${id}-hint`} class="hint">
        The sampling rate in hertz, such as 250. The settings of the amplifier say it.
      </small>
      <button type="button" class="small" disabled={!isUsable} onClick={() => onRate(rateHz)}>
        Read the recording
      </button>
    </div>
  );
}
