import { z } from 'zod';

/** A method in the version that is meant. */
export const methodRef = z.object({ id: z.string(), version: z.string(), title: z.string() });
