import type { Said } from '../../../../infra/recordings/recording.ts';
import type { FilesSummary } from '../file/summary.ts';

/** Where events come from without an answer. */
const usualEvents = 'Annotations, or the channel with the most events';

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
    {
      name: 'triggerChannel',
      label: 'Channel with the events (the notes above say which one is used)',
      options: triggers,
    },
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
              <option value="">{name === 'encoding' ? 'As read from the file' : usualEvents}</option>
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
