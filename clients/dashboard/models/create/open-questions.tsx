import type { Said } from '../../../../infra/recordings/recording.ts';
import type { FilesSummary } from '../file/summary.ts';

/** A field for each thing about the events that the files leave open. `onSay` reads the files again. */
export function OpenQuestions({
  needs,
  said,
  onSay,
}: {
  readonly needs: FilesSummary['needs'];
  readonly said: Said;
  readonly onSay: (said: Said) => void;
}) {
  const triggers = [...new Set([...needs.triggers, ...(said.triggerChannel ? [said.triggerChannel] : [])])];
  const fields: readonly { name: 'encoding' | 'triggerChannel'; label: string; options: readonly string[] }[] = [
    {
      name: 'encoding',
      label: 'Encoding of the event names',
      options: needs.encoding || said.encoding ? ['utf-8', 'latin-1'] : [],
    },
    { name: 'triggerChannel', label: 'Channel with the events', options: triggers },
  ];
  return (
    <>
      {fields
        .filter(({ options }) => options.length > 0)
        .map(({ name, label, options }) => (
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
