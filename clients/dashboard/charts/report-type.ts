import type { z } from 'zod';
import type { trainingReport } from '../../../infra/contract/training-report.ts';

/** The training report in the API's answer. */
export type Report = z.output<typeof trainingReport>;
