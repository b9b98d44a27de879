import { useState } from 'preact/hooks';
import type { Me } from '../../../../api/account/contract/responses.ts';
import { post } from '../../fetch.ts';
import { useSession } from '../../session.tsx';
import { Form } from '../../ui/form.tsx';
import { Password } from '../../ui/password.tsx';
import { toast } from '../../ui/toasts.tsx';

export function ChangePassword() {
  const { become } = useSession();
  /** Number of changes: each change begins with empty fields. */
  const [changes, setChanges] = useState(0);
  const send = async (values: FormData): Promise<void> => {
    become(await post<Me>('/password', { current: values.get('current'), password: values.get('password') }));
    setChanges(changes + 1);
    toast('Your password is changed. Every other session has ended.');
  };
  return (
    <Form key={changes} submit="Change the password" onSubmit={send}>
      <div class="columns">
        <Password name="current" label="Current password" />
        <Password label="New password" isNew />
      </div>
    </Form>
  );
}
