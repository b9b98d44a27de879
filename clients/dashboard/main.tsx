import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { exec, LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { SessionProvider, useSession } from './session.tsx';
import { routes, type Route as Page } from './routes.ts';
import { Shell } from './shell.tsx';
import { FailureMessage } from './ui/failure.tsx';
import { NotFound } from './ui/not-found.tsx';
import { Waiting } from './ui/waiting.tsx';

/** The page of a path. */
const pageOf = (path: string): Page | undefined => routes.find((route) => exec(path, route.path));

/** Sends a visitor who is not signed in to sign in, and back afterwards. */
function SignInFirst() {
  const { url, route } = useLocation();
  useEffect(() => route(`/dashboard/sign-in?next=${encodeURIComponent(url)}`, true), []);
  return <Waiting />;
}

function Pages() {
  const { me, trouble, refresh } = useSession();
  const { path } = useLocation();
  const page = pageOf(path);
  if (page && !page.open && me === undefined && trouble)
    return (
      <>
        <FailureMessage failure={trouble} />
        <button type="button" class="secondary small" onClick={() => void refresh()}>
          Try again
        </button>
      </>
    );
  if (page && !page.open && me === undefined) return <Waiting />;
  if (page && !page.open && me === null) return <SignInFirst />;
  return (
    <Router>
      {[
        ...routes.map((route) => <Route key={route.path} path={route.path} component={route.component} />),
        <Route key="none" default component={NotFound} />,
      ]}
    </Router>
  );
}

// Loads the code of the page while the session is being read.
void pageOf(location.pathname)?.component.preload?.();

render(
  <LocationProvider scope="/dashboard">
    <SessionProvider>
      <Shell>
        <Pages />
      </Shell>
    </SessionProvider>
  </LocationProvider>,
  document.getElementById('app')!,
);
