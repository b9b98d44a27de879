import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { asFailure, post } from './fetch.ts';
import { browserStore, draftPlace } from './browser-store.ts';
import { GoTo } from './go-to.tsx';
import { useSession } from './session.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { places, type PlaceOfMenu } from './places.ts';
import { Icon } from './ui/icons.tsx';
import { toast, Toasts } from './ui/toasts.tsx';

/** A navigation link, marked if it leads to the current page. */
function Place({ path, words, icon, also }: PlaceOfMenu) {
  const here = useLocation().path;
  const current = here === path || also?.includes(here) || (path !== '/dashboard' && here.startsWith(`${path}/`));
  return (
    <li>
      <a href={path} aria-current={current ? 'page' : undefined}>
        <Icon name={icon} />
        {words}
      </a>
    </li>
  );
}

/** Opens the search for pages and models, also with Ctrl K or ⌘ K. */
function GoToButton() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // Another dialog keeps the focus until it closes.
      if (!document.querySelector('dialog[open]')) setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" class="secondary outline small go-to" data-testid="go-to" onClick={() => setOpen(true)}>
        <Icon name="search" />
        <span>Go to</span>
        <kbd aria-hidden="true">{/Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      {open && <GoTo onClose={() => setOpen(false)} />}
    </>
  );
}

function Account() {
  const { me, become } = useSession();
  const { route } = useLocation();
  const signOut = async (): Promise<void> => {
    try {
      await post('/sign-out');
      // The next person at this browser must not see the settings.
      browserStore.remove(draftPlace);
    } catch (error) {
      const { status, message } = asFailure(error);
      // A session that has already ended counts as signed out.
      if (status !== 401) return toast(`You are still signed in. ${message}`);
    }
    become(null);
    route('/dashboard/sign-in');
    toast('You are signed out.');
  };
  if (!me) return null;
  return (
    <div class="account">
      <span class="email" title="The account that is signed in">
        {me.email}
      </span>
      <button type="button" class="secondary outline small" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}

/** The menu of a signed-in person: beside the page on a wide screen, folded above it on a phone. */
function SideMenu() {
  const { me } = useSession();
  const { url } = useLocation();
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [url]);
  if (!me) return null;
  return (
    <nav class="side" aria-label="Dashboard">
      <button
        type="button"
        class="secondary outline small menu"
        aria-expanded={open}
        aria-controls="places"
        onClick={() => setOpen(!open)}
      >
        Menu
      </button>
      <div id="places" class={open ? 'places open' : 'places folded'}>
        <GoToButton />
        <ul>
          {places.map((place) => (
            <Place key={place.path} {...place} />
          ))}
        </ul>
        <Account />
      </div>
    </nav>
  );
}

/** Notices on every page: the service or the account is paused. */
function Notices() {
  const { me, door } = useSession();
  return (
    <>
      {door && !door.serving && (
        <p class="notice warn" role="status">
          The service is paused: {door.message}
        </p>
      )}
      {me?.suspended_since && (
        <p class="notice bad" role="status">
          This account is paused. Its keys and models answer nothing until the operator resumes it.
        </p>
      )}
    </>
  );
}

function Footer() {
  const { door } = useSession();
  return (
    <footer class="container bottom">
      <p>
        {door && (
          <span class={door.serving ? 'state good' : 'state warn'}>
            {door.serving ? 'The service is running' : 'The service is paused'}
          </span>
        )}{' '}
        <a href="/dashboard/terms">Terms of service</a>
      </p>
      <p>Research use only; not a medical device.</p>
    </footer>
  );
}

/** Menu, notices and footer of every page. The document has the header. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { knock } = useSession();
  const { path } = useLocation();
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) knock();
    first.current = false;
  }, [path]);
  return (
    <>
      <SideMenu />
      <main id="content" class="container" tabIndex={-1}>
        <Notices />
        {children}
      </main>
      <Footer />
      <SignInAgain />
      <Toasts />
    </>
  );
}
