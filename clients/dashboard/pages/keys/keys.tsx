import { useState } from 'preact/hooks';
import type { Key, KeyList, NewKeyAnswer } from '../../../../api/account/contract/responses.ts';
import { ownKey } from '../../own-key.ts';
import { useMe } from '../../session.tsx';
import { Loaded, useLoad } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateKey } from './create.tsx';
import { KeyTable } from './table.tsx';
import { RevokeKey } from './revoke.tsx';
import { RotateKey } from './rotate.tsx';
import { ShownOnce } from './shown-once.tsx';

type Asked = readonly [deed: 'revoke' | 'rotate', key: Key];

export default function Keys() {
  const { terms } = useMe();
  const keys = useLoad<KeyList>('/keys');
  const [creating, setCreating] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [fresh, setFresh] = useState<NewKeyAnswer | null>(null);
  const isAccepted = terms.accepted === terms.current;
  const made = (key: NewKeyAnswer): void => {
    ownKey.keep(key);
    setFresh(key);
    setCreating(false);
    void keys.reload();
  };
  const close = (): void => setAsked(null);
  return (
    <Page
      title="Keys"
      lead="Programs sign their requests with a key. Keep it on your servers: never in a page, an app or a repository."
      actions={
        isAccepted &&
        !creating &&
        !fresh && (
          <button type="button" onClick={() => setCreating(true)}>
            New key
          </button>
        )
      }
    >
      {!isAccepted && (
        <p class="notice warn">
          Before a key can be made, the <a href="/dashboard/terms">terms of service</a> have to be accepted.
        </p>
      )}
      {fresh && <ShownOnce answer={fresh} onClose={() => setFresh(null)} />}
      {creating && <CreateKey onMade={made} onClose={() => setCreating(false)} />}
      <Loaded of={keys} what="your keys">
        {({ data }) => <KeyTable keys={data} mayRotate={!fresh} onAsk={(deed, key) => setAsked([deed, key])} />}
      </Loaded>
      {asked?.[0] === 'revoke' && <RevokeKey which={asked[1]} onDone={keys.reload} onClose={close} />}
      {asked?.[0] === 'rotate' && <RotateKey which={asked[1]} onMade={made} onClose={close} />}
    </Page>
  );
}
