import type { Key } from '../../../../api/account/contract/responses.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/values.tsx';
import { mayWords } from './scope-words.ts';

/** Display name of a key. */
export const keyName = ({ name, prefix }: Pick<Key, 'name' | 'prefix'>): string => name ?? prefix;

/** True if a key is revoked or expired. */
export const isOver = ({ revoked_at: revoked, expires_at: expires }: Key): boolean =>
  revoked !== null || (expires !== null && Date.parse(expires) <= Date.now());

function KeyStatus({ of }: { readonly of: Key }) {
  if (of.revoked_at)
    return (
      <span class="state bad">
        revoked <Time at={of.revoked_at} day />
      </span>
    );
  if (of.expires_at)
    return (
      <span class={isOver(of) ? 'state bad' : 'state good'}>
        {isOver(of) ? 'expired' : 'until'} <Time at={of.expires_at} day />
      </span>
    );
  return <span class="state good">in use until revoked</span>;
}

const columns = (onAsk: (deed: 'revoke' | 'rotate', key: Key) => void, mayRotate: boolean): readonly Column<Key>[] => [
  {
    head: 'Key',
    names: true,
    cell: (key) => (
      <>
        {key.name ?? <em>without a name</em>} <span class={`badge ${key.mode}`}>{key.mode}</span>
        <small class="hint">
          <code>{key.prefix}…</code>
        </small>
      </>
    ),
  },
  {
    head: 'May',
    cell: ({ scopes, allow_ips: addresses }) => (
      <>
        {mayWords(scopes)}
        {addresses.length > 0 && <small class="hint">only from {addresses.join(', ')}</small>}
      </>
    ),
  },
  { head: 'Made', cell: ({ created }) => <Time at={created} day /> },
  { head: 'Last used', cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : 'never') },
  { head: 'Status', cell: (key) => <KeyStatus of={key} /> },
  {
    head: 'Change',
    quiet: true,
    cell: (key) =>
      !isOver(key) && (
        <div class="deeds">
          {mayRotate && (
            <button
              type="button"
              class="secondary outline small"
              aria-label={`Rotate ${keyName(key)}`}
              onClick={() => onAsk('rotate', key)}
            >
              Rotate
            </button>
          )}
          <button
            type="button"
            class="danger outline small"
            aria-label={`Revoke ${keyName(key)}`}
            onClick={() => onAsk('revoke', key)}
          >
            Revoke
          </button>
        </div>
      ),
  },
];

/** The keys of the account, the usable ones first. */
export function KeyTable({
  keys,
  mayRotate,
  onAsk,
}: {
  readonly keys: readonly Key[];
  /** False while a new key is shown, because the next one would replace it. */
  readonly mayRotate: boolean;
  readonly onAsk: (deed: 'revoke' | 'rotate', key: Key) => void;
}) {
  return (
    <Table
      caption="Keys of this account"
      columns={columns(onAsk, mayRotate)}
      rows={keys.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)))}
      keyOf={({ key_id: id }) => id}
      empty="No keys yet. Press “New key” to make one."
    />
  );
}
