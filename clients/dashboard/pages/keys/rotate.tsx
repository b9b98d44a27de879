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
        A second key is made that may do the same, from the same addresses, until the same day. Both work until you
        revoke the old one: put the new one where the old one is used, then revoke the old one.
      </p>
    </Confirm>
  );
}
