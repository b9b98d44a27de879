import type { AnyComponent } from 'preact';
import { lazy } from 'preact-iso';

/** A page whose code is loaded when it is first shown. */
type Lazy = AnyComponent & { preload(): Promise<unknown> };

export interface Route {
  readonly path: string;
  readonly component: Lazy;
  /** True if visitors who are not signed in can see it. */
  readonly open?: boolean;
}

const page = (load: () => Promise<{ default: AnyComponent }>): Lazy => lazy(load as never) as unknown as Lazy;

/** The page of a shared report, outside the account pages. */
const sharedPage = '/shared/:token';

/** Every page. */
export const routes: readonly Route[] = [
  { path: '/dashboard', component: page(() => import('./pages/overview/overview.tsx')) },
  { path: '/dashboard/sign-in', component: page(() => import('./pages/sign-in.tsx')), open: true },
  { path: '/dashboard/sign-up', component: page(() => import('./pages/sign-up.tsx')), open: true },
  { path: '/dashboard/reset', component: page(() => import('./pages/reset.tsx')), open: true },
  { path: '/dashboard/link', component: page(() => import('./pages/link.tsx')), open: true },
  { path: '/dashboard/terms', component: page(() => import('./pages/terms.tsx')), open: true },
  { path: '/dashboard/sample', component: page(() => import('./pages/sample.tsx')), open: true },
  { path: sharedPage, component: page(() => import('./pages/shared.tsx')), open: true },
  { path: '/dashboard/keys', component: page(() => import('./pages/keys/keys.tsx')) },
  { path: '/dashboard/billing', component: page(() => import('./pages/billing.tsx')) },
  { path: '/dashboard/usage', component: page(() => import('./pages/usage/usage.tsx')) },
  { path: '/dashboard/requests', component: page(() => import('./pages/requests.tsx')) },
  { path: '/dashboard/settings', component: page(() => import('./pages/settings/settings.tsx')) },
  { path: '/dashboard/models', component: page(() => import('./models/list.tsx')) },
  { path: '/dashboard/compare', component: page(() => import('./models/compare.tsx')) },
  { path: '/dashboard/models/:id', component: page(() => import('./models/model.tsx')) },
  { path: '/dashboard/create', component: page(() => import('./models/create.tsx')) },
  { path: '/dashboard/without-trials', component: page(() => import('./models/zero-shot/zero-shot.tsx')) },
];
