import { useState } from 'preact/hooks';
import type { NewShareLink, ShareLinkList } from '../../../api/account/contract/responses.ts';
import { limits } from '../../../infra/contract/limits.ts';
import { post } from '../fetch.ts';
import { Copied } from '../ui/copy.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded, useLoad } from '../ui/load.tsx';
import { toast } from '../ui/toasts.tsx';
import { Time } from '../ui/values.tsx';

/** The address of a new link. The service keeps only a hash of it, so the page shows it once. */
const NewAddress = ({ link }: { readonly link: NewShareLink }) => {
  const address = new URL(link.path, location.origin).href;
  return (
    <div class="notice good">
      <Copied text={address} label="link">
        <a data-testid="share-link" href={address} target="_blank" rel="noreferrer">
          {address}
        </a>
      </Copied>
      <p>Copy the link now. It cannot be shown again after you leave this page.</p>
    </div>
  );
};

/** Makes links with which anybody can read the report, and ends them. */
export function ShareReport({ modelId }: { readonly modelId: string }) {
  const load = useLoad<ShareLinkList>(`/models/${modelId}/shares`);
  const [made, setMade] = useState<NewShareLink | null>(null);
  const [ending, setEnding] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    setMade(await post<NewShareLink>(`/models/${modelId}/shares`));
    await load.reload();
  };
  const end = async (id: string): Promise<void> => {
    await post(`/shares/${id}/end`);
    if (made?.share_id === id) setMade(null);
    await load.reload();
    toast('The link has ended.');
  };
  const links = load.data?.data ?? [];
  return (
    <section class="share" aria-labelledby="share-heading">
      <h2 id="share-heading">Share this report</h2>
      <p class="lead">
        Anybody who has the link can read the report without an account. They see the task and the report. They do not
        see your account, the name of the model, keys, costs or file names. You can end a link at any time, and it ends
        with the model.
      </p>
      <Loaded of={load} what="the links">
        {({ data }) => (
          <>
            {made && <NewAddress link={made} />}
            {data.length > 0 && (
              <ul class="share-links">
                {data.map(({ share_id: id, created }) => (
                  <li key={id}>
                    <span>
                      Link of <Time at={created} />
                      {id === made?.share_id && <small> (the one above)</small>}
                    </span>
                    <button
                      type="button"
                      class="danger outline small"
                      data-testid="share-end"
                      onClick={() => setEnding(id)}
                    >
                      End this link
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      {links.length < limits.shareLinksPerModel ? (
        <Form
          submit={links.length > 0 ? 'Make another link' : 'Make a link'}
          testId={made ? undefined : 'share-link'}
          onSubmit={make}
        />
      ) : (
        <p>A model has at most {limits.shareLinksPerModel} links at one time. End one to make another.</p>
      )}
      {ending && (
        <Confirm
          title="End this link?"
          action="End the link"
          onConfirm={async () => await end(ending)}
          onClose={() => setEnding(null)}
        >
          <p>People who have it can no longer open the report. An ended link cannot be started again.</p>
        </Confirm>
      )}
    </section>
  );
}
