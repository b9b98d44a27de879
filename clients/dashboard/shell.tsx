import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { asFailure, post } from './fetch.ts';
import { useSession } from './session.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { toast, Toasts } from './ui/toasts.tsx';

const places: readonly (readonly [path: string, words: string])[] = [
  ['/dashboard', 'Overview'],
  ['/dashboard/models', 'Models'],
  ['/dashboard/keys', 'Keys'],
  ['/dashboard/usage', 'Usage'],
  ['/dashboard/requests', 'Requests'],
  ['/dashboard/billing', 'Billing'],
  ['/dashboard/settings', 'Settings'],
];

/** A navigation link, marked if it leads to the current page. */
function Place({ path, words }: { readonly path: string; readonly words: string }) {
  const here = useLocation().path;
  const current = here === path || (path !== '/dashboard' && here.startsWith(`${path}/`));
  return (
    <li>
      <a href={path} aria-current={current ? 'page' : undefined}>
        {words}
      </a>
    </li>
  );
}

function Account() {
  const { me, become } = useSession();
  const { route } = useLocation();
  const signOut = async (): Promise<void> => {
    try {
      await post('/sign-out');
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

function Header() {
  const { me } = useSession();
  const { url, path } = useLocation();
  const isShared = path.startsWith('/shared/');
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [url]);
  return (
    <header class="top">
      <div class="container bar">
        <a class="brand" href={me ? '/dashboard' : '/'}>
          EEG task classifiers
        </a>
        {me && (
          <button
            type="button"
            class="secondary outline small menu"
            aria-expanded={open}
            aria-controls="places"
            onClick={() => setOpen(!open)}
          >
            Menu
          </button>
        )}
        <div id="places" class={me ? `places ${open ? 'open' : 'folded'}` : 'places'}>
          <nav aria-label="Main">
            <ul>
              {me && places.map(([path, words]) => <Place key={path} path={path} words={words} />)}
              <li>
                <a href="/docs">Docs</a>
              </li>
              {me === null && !isShared && <Place path="/dashboard/sign-in" words="Sign in" />}
            </ul>
          </nav>
          <Account />
        </div>
      </div>
    </header>
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
        <a href="/dashboard/terms">Terms of service</a> <a href="/docs">Documentation</a>
      </p>
      <p>Research use only; not a medical device.</p>
    </footer>
  );
}

/** Header, navigation and footer of every page. */
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
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Header />
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
