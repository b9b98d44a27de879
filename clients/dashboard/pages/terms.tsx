import type { Me } from '../../../api/account/contract/responses.ts';
import { useLocation } from 'preact-iso/router';
import { post } from '../fetch.ts';
import { useSession } from '../session.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Time } from '../ui/values.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { nextOf } from './sign-in.tsx';

function Part({ text }: { readonly text: string }) {
  const heading = /^#+\s+(.*)$/.exec(text);
  if (heading) return <h2>{heading[1]}</h2>;
  if (!text.startsWith('- ')) return <p>{text}</p>;
  return (
    <ul>
      {text
        .slice(2)
        .split(/\n- /)
        .map((item) => (
          <li key={item}>{item}</li>
        ))}
    </ul>
  );
}

/** Plain text of the terms: paragraphs are separated by an empty line, headings begin with `#`, list items with `-`. */
function TermsText({ text }: { readonly text: string }) {
  return (
    <div class="terms">
      {text.split(/\n\s*\n/).map((part) => (
        <Part key={part} text={part.trim()} />
      ))}
    </div>
  );
}

export default function Terms() {
  const { me, door, become, refresh } = useSession();
  const { query, route } = useLocation();
  const accepted = me?.terms.accepted ?? null;
  return (
    <Page title="Terms of service" narrow lead={door && <>Version {door.terms.version}</>}>
      {door ? <TermsText text={door.terms.text} /> : <Waiting what="the terms" />}
      {door && me && accepted === door.terms.version && me.terms.accepted_at && (
        <p class="notice good">
          You accepted this version on <Time at={me.terms.accepted_at} />. <a href="/dashboard">Next: make a model</a>
        </p>
      )}
      {door && me && accepted !== door.terms.version && (
        <>
          {accepted !== null && <p>You accepted version {accepted}; this one is newer.</p>}
          <Form
            submit="Accept these terms"
            onSubmit={async () => {
              const answer = await post<Partial<Me>>('/terms', { version: door.terms.version });
              if (answer.csrf) become(answer as Me);
              else await refresh();
              toast('You accepted the terms.');
              if (query.next) route(nextOf(query.next));
            }}
          />
        </>
      )}
    </Page>
  );
}
