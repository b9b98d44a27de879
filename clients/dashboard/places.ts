import type { IconName } from './ui/icons.tsx';

export interface PlaceOfMenu {
  readonly path: string;
  readonly words: string;
  readonly icon: IconName;
  /** Other pages that belong to it. */
  readonly also?: readonly string[];
}

/** The pages of the menu, for signed-in people. */
export const places: readonly PlaceOfMenu[] = [
  { path: '/dashboard', words: 'Overview', icon: 'overview' },
  {
    path: '/dashboard/models',
    words: 'Models',
    icon: 'models',
    also: ['/dashboard/create', '/dashboard/compare', '/dashboard/without-trials'],
  },
  { path: '/dashboard/keys', words: 'Keys', icon: 'keys' },
  { path: '/dashboard/usage', words: 'Usage', icon: 'usage' },
  { path: '/dashboard/requests', words: 'Requests', icon: 'requests' },
  { path: '/dashboard/billing', words: 'Billing', icon: 'billing' },
  { path: '/dashboard/settings', words: 'Settings', icon: 'settings' },
];
