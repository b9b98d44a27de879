import { useState } from 'preact/hooks';
import { plural } from '../../ui/values.tsx';
import { capMaps, namesOfCap, pastedNames } from '../file/cap-maps.ts';
import type { ChannelSummary } from '../file/summary.ts';

type Names = Readonly<Record<string, string>>;

/** Channels that are left out, and three ways to say which electrode a channel is: a cap, a pasted list, by hand. */
export function ChannelNames({
  channels,
  others,
  names,
  isOpen,
  onNames,
}: {
  readonly channels: readonly ChannelSummary[];
  /** Channels that are no electrodes. */
  readonly others: readonly ChannelSummary[];
  readonly names: Names;
  readonly isOpen: boolean;
  readonly onNames: (names: Names) => void;
}) {
  const labels = channels.map(({ label }) => label);
  const [said, setSaid] = useState('');
  const take = (found: Names): void => {
    const number = Object.keys(found).length;
    setSaid(number === 0 ? 'No channel of this file has such a name.' : `${plural(number, 'channel')} renamed.`);
    if (number > 0) onNames({ ...names, ...found });
  };
  const caps = Object.entries(capMaps).filter(([, cap]) => Object.keys(namesOfCap(labels, cap)).length > 0);
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
            {caps.map(([id, cap]) => (
              <button
                key={id}
                type="button"
                class="secondary outline small"
                onClick={() => take(namesOfCap(labels, cap))}
              >
                Cap: {cap.title}
              </button>
            ))}
          </div>
        )}
        <Paste onPaste={(text) => take(pastedNames(text, labels))} />
        {said !== '' && <p role="status">{said}</p>}
        {renamed > 0 && (
          <button
            type="button"
            class="plain"
            onClick={() => {
              setSaid('');
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
