import type { Key } from '../../../../api/account/contract/responses.ts';
import { post } from '../../fetch.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';
import { keyName } from './table.tsx';

/** Revokes a key after confirmation. */
export function RevokeKey({
  which,
  onDone,
  onClose,
}: {
  readonly which: Key;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}) {
  return (
    <Confirm
      title={`Revoke “${keyName(which)}”?`}
      action="Revoke the key"
      onClose={onClose}
      onConfirm={async () => {
        await post(`/keys/${encodeURIComponent(which.key_id)}/revoke`);
        toast(`The key “${keyName(which)}” is revoked.`);
        await onDone();
      }}
    >
      <p>
        Its next request is refused. This cannot be undone. Models stay, and so do the limits and caps of the account.
      </p>
    </Confirm>
  );
}
