import type { AccountRoute, DoorRoute } from '../route.ts';
import { doorRoutes } from './door.ts';
import { meRoutes } from './me.ts';
import { passwordRoutes } from './password.ts';

/** Everything that the account pages call, a table a file. */
export const routes: readonly (AccountRoute | DoorRoute)[] = [...doorRoutes, ...meRoutes, ...passwordRoutes];
