import type { z } from 'zod';
import type { trainingReport } from '../../../infra/contract/training-report.ts';

/** The training report as the interface answers it. */
export type Report = z.output<typeof trainingReport>;
