import type { AccountRoute, AnonymousRoute } from '../route.ts';
import { billingRoutes } from './billing.ts';
import { closeRoutes } from './close.ts';
import { doorRoutes } from './door.ts';
import { exportRoutes } from './export.ts';
import { jobRoutes } from './jobs.ts';
import { keyRoutes } from './keys.ts';
import { limitRoutes } from './limits.ts';
import { meRoutes } from './me.ts';
import { modelRoutes } from './models.ts';
import { passwordRoutes } from './password.ts';
import { requestRoutes } from './requests.ts';
import { shareRoutes } from './shares.ts';
import { usageRoutes } from './usage.ts';

/** All routes of the account pages, one table per file. */
export const routes: readonly (AccountRoute | AnonymousRoute)[] = [
  ...doorRoutes,
  ...meRoutes,
  ...passwordRoutes,
  ...keyRoutes,
  ...billingRoutes,
  ...usageRoutes,
  ...requestRoutes,
  ...limitRoutes,
  ...jobRoutes,
  ...modelRoutes,
  ...shareRoutes,
  ...exportRoutes,
  ...closeRoutes,
];
