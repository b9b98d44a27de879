import type { Key, NewKeyAnswer } from '../../../../api/account/contract/responses.ts';
import { post } from '../../fetch.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { keyName } from './table.tsx';

/** Creates a second key with the same rights, after confirmation. */
export function RotateKey({
  which,
  onMade,
  onClose,
}: {
  readonly which: Key;
  readonly onMade: (key: NewKeyAnswer) => void;
  readonly onClose: () => void;
}) {
  return (
    <Confirm
      title={`Rotate “${keyName(which)}”?`}
      action="Make its successor"
      danger={false}
      onClose={onClose}
      onConfirm={async () => onMade(await post<NewKeyAnswer>(`/keys/${encodeURIComponent(which.key_id)}/rotate`))}
    >
      <p>
        This makes a second key with the same permissions, addresses and expiry. Both keys work until you revoke the old
        one. Put the new key into your programs, then revoke the old key.
      </p>
    </Confirm>
  );
}
