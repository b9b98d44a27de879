import { capMaps } from '../../../../infra/recordings/rules.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import type { FilesSummary } from '../file/summary.ts';

/** Notices of the reader, and a field for each thing that the files leave open. `onSay` reads the files again. */
export function OpenQuestions({
  summary: { notices, needs },
  said,
  onSay,
}: {
  readonly summary: FilesSummary;
  readonly said: Said;
  readonly onSay: (said: Said) => void;
}) {
  const triggers = [...new Set([...needs.triggers, ...(said.triggerChannel ? [said.triggerChannel] : [])])];
  const fields: readonly { name: 'unit' | 'cap' | 'encoding' | 'triggerChannel'; label: string; options: string[] }[] =
    [
      {
        name: 'unit',
        label: 'Unit of channels without one',
        options: needs.unit.length > 0 || said.unit ? ['uV', 'mV', 'V', 'nV'] : [],
      },
      { name: 'cap', label: 'Cap', options: needs.caps.length > 0 || said.cap ? Object.keys(capMaps) : [] },
      {
        name: 'encoding',
        label: 'Encoding of the event names',
        options: needs.encoding || said.encoding ? ['utf-8', 'latin-1'] : [],
      },
      { name: 'triggerChannel', label: 'Channel with the events', options: triggers },
    ];
  const asked = fields.filter(({ options }) => options.length > 0);
  if (notices.length === 0 && asked.length === 0) return null;
  return (
    <>
      {notices.length > 0 && (
        <div class="notice" role="status">
          <ul aria-label="Notices about the recording">
            {notices.map((each, i) => (
              <li key={i}>{each}</li>
            ))}
          </ul>
        </div>
      )}
      {asked.map(({ name, label, options }) => (
        <label key={name}>
          {label}
          <select
            value={said[name] ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { [name]: _before, ...others } = said;
              onSay(value === '' ? others : { ...others, [name]: value });
            }}
          >
            <option value="">As read from the file</option>
            {options.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      ))}
    </>
  );
}
