import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { FitOutcome } from '../activities/types.ts';
import type { FitRequest } from '../infra/contract/fit-request.ts';

/** The model changed in Postgres: read it again. */
export const refresh = defineSignal('refresh');

/** Runs a fit job, or joins the one with the same job id. Refused (`FitRunning`, `FitNotPossible`) while another runs or after one succeeded. */
export const fit = defineUpdate<FitOutcome, [FitRequest]>('fit');
