import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { temporalNames, type FitUpdate } from '../infra/contract/workflow-names.ts';

/** The model changed in Postgres: read it again. */
export const refresh = defineSignal(temporalNames.refresh);

/**
 * Runs a fit job, or joins the one with the same job id. Refused (`FitRunning`, `FitNotPossible`) while another runs
 * or after one succeeded.
 */
export const fit = defineUpdate<FitUpdate['result'], FitUpdate['args']>(temporalNames.fit);

/** Adds a reference task to those that are to be prepared. */
export const prepare = defineSignal<[string]>(temporalNames.prepare);
