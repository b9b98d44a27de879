import type { Said } from '../../../../infra/recordings/recording.ts';
import type { FilesSummary } from '../file/summary.ts';

const titleOf = { uV: 'microvolts (µV)', mV: 'millivolts (mV)', V: 'volts (V)', nV: 'nanovolts (nV)' } as const;

/** Asks for the unit of the channels whose unit the files do not say. Draws nothing if there are none. */
export function UnitQuestion({
  summary: { channels, needs },
  said,
  onSay,
}: {
  readonly summary: FilesSummary;
  readonly said: Said;
  readonly onSay: (said: Said) => void;
}) {
  if (needs.unit.length === 0 && said.unit === undefined) return null;
  const isGuessed = channels.some(({ label, electrode }) => electrode !== null && needs.unit.includes(label));
  return (
    <div class={said.unit === undefined ? 'notice warn' : 'field'}>
      <label>
        The recording does not say the unit of{' '}
        {needs.unit.length === 0
          ? 'some channels'
          : needs.unit.length === 1
            ? 'one channel'
            : `${needs.unit.length} channels`}
        . Which is it?
        <select
          name="unit"
          value={said.unit ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const { unit: _before, ...others } = said;
            onSay(value === '' ? others : { ...others, unit: value });
          }}
        >
          <option value="">{isGuessed ? 'As guessed from the values' : 'Not known: leave them out'}</option>
          {Object.entries(titleOf).map(([unit, title]) => (
            <option key={unit} value={unit}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <small class="hint">Most amplifiers record in microvolts. The manual or the export dialog says it.</small>
    </div>
  );
}
