import { useState } from 'preact/hooks';
import { plural } from '../../ui/values.tsx';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { pastedNames } from '../file/pasted-names.ts';
import type { ChannelSummary } from '../file/summary.ts';

type Names = Readonly<Record<string, string>>;

/** Channels that are left out, and three ways to say which electrode a channel is: a cap, a pasted list, by hand. */
export function ChannelNames({
  channels,
  others,
  said,
  caps,
  isOpen,
  onSay,
}: {
  readonly channels: readonly ChannelSummary[];
  /** Channels that are no electrodes. */
  readonly others: readonly ChannelSummary[];
  readonly said: Said;
  /** Caps whose positions the channels can be. */
  readonly caps: readonly string[];
  readonly isOpen: boolean;
  readonly onSay: (change: Partial<Said>) => void;
}) {
  const { names = {}, cap } = said;
  const onNames = (all: Names): void => onSay({ names: all });
  const labels = channels.map(({ label }) => label);
  const [told, setTold] = useState('');
  const take = (found: Names): void => {
    const number = Object.keys(found).length;
    setTold(number === 0 ? 'No channel of this file has such a name.' : `${plural(number, 'channel')} renamed.`);
    if (number > 0) onNames({ ...names, ...found });
  };
  const renamed = Object.keys(names).filter((label) => labels.includes(label)).length;
  return (
    <>
      {others.length > 0 && (
        <details open={isOpen || others.length <= 6}>
          <summary>
            {others.length === 1 ? 'One channel is' : `${others.length} channels are`} left out, and why
          </summary>
          <ul class="left-out">
            {others.map(({ label, reason }, i) => (
              <li key={i}>
                <span class="channel">{label === '' ? '(no name)' : label}</span>
                {label !== '' && (
                  <input
                    type="text"
                    class="electrode-name"
                    value={Object.hasOwn(names, label) ? names[label] : ''}
                    placeholder="electrode"
                    maxLength={20}
                    autocomplete="off"
                    aria-label={`Electrode of the channel ${label}`}
                    onChange={({ currentTarget }) => onNames({ ...names, [label]: currentTarget.value.trim() })}
                  />
                )}
                <small>{reason}</small>
              </li>
            ))}
          </ul>
        </details>
      )}
      <details open={isOpen}>
        <summary>Rename channels{renamed > 0 && ` (${renamed} renamed)`}</summary>
        <p class="hint">
          Electrodes have names such as C3 or Fz. If your file numbers its channels, say here which electrode each one
          is.
        </p>
        {caps.length > 0 && (
          <div class="presets">
            {caps.map((each) => (
              <button
                key={each}
                type="button"
                class="secondary outline small"
                aria-pressed={cap === each}
                onClick={() => onSay({ cap: each })}
              >
                Cap: {each}
              </button>
            ))}
          </div>
        )}
        <Paste onPaste={(text) => take(pastedNames(text, labels))} />
        {told !== '' && <p role="status">{told}</p>}
        {renamed > 0 && (
          <button
            type="button"
            class="plain"
            onClick={() => {
              setTold('');
              onNames({});
            }}
          >
            Use the names of the file again
          </button>
        )}
      </details>
    </>
  );
}

function Paste({ onPaste }: { readonly onPaste: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <div class="field">
      <label for="pasted-names">Paste a list: a channel and its electrode on each line</label>
      <textarea
        id="pasted-names"
        rows={4}
        value={text}
        placeholder={'EX1  C3\nEX2  Cz'}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="button" class="secondary small" disabled={text.trim() === ''} onClick={() => onPaste(text)}>
        Use this list
      </button>
    </div>
  );
}
