import type { AnyComponent } from 'preact';
import lazy from 'preact-iso/lazy';
import type * as laterPages from './later-pages.ts';
import Billing from './pages/billing.tsx';
import Keys from './pages/keys/keys.tsx';
import Link from './pages/link.tsx';
import Overview from './pages/overview/overview.tsx';
import Requests from './pages/requests.tsx';
import Reset from './pages/reset.tsx';
import Settings from './pages/settings/settings.tsx';
import SignIn from './pages/sign-in.tsx';
import SignUp from './pages/sign-up.tsx';
import Terms from './pages/terms.tsx';

export interface Route {
  readonly path: string;
  readonly component: AnyComponent & { preload?(): Promise<unknown> };
  /** True if visitors who are not signed in can see it. */
  readonly open?: boolean;
}

type LaterPages = typeof laterPages;

/** A page whose code is loaded when it, or another of that part, is first shown. */
const later = (name: keyof LaterPages): Route['component'] =>
  lazy(async () => ({ default: (await import('./later-pages.ts'))[name] as AnyComponent }));

/** The page of a shared report, outside the account pages. */
const sharedPage = '/shared/:token';

/** Every page. */
export const routes: readonly Route[] = [
  { path: '/dashboard', component: Overview },
  { path: '/dashboard/sign-in', component: SignIn, open: true },
  { path: '/dashboard/sign-up', component: SignUp, open: true },
  { path: '/dashboard/reset', component: Reset, open: true },
  { path: '/dashboard/link', component: Link, open: true },
  { path: '/dashboard/terms', component: Terms, open: true },
  { path: '/dashboard/sample', component: later('Sample'), open: true },
  { path: sharedPage, component: later('Shared'), open: true },
  { path: '/dashboard/keys', component: Keys },
  { path: '/dashboard/billing', component: Billing },
  { path: '/dashboard/usage', component: later('Usage') },
  { path: '/dashboard/requests', component: Requests },
  { path: '/dashboard/settings', component: Settings },
  { path: '/dashboard/models', component: later('List') },
  { path: '/dashboard/compare', component: later('Compare') },
  { path: '/dashboard/models/:id', component: later('Model') },
  { path: '/dashboard/create', component: later('Create') },
  { path: '/dashboard/without-trials', component: later('WithoutTrials') },
];
