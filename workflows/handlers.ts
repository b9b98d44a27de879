import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { temporalNames, type FitUpdate } from '../infra/contract/workflow-names.ts';

/** The model changed in Postgres. The workflow reads it again. */
export const refresh = defineSignal(temporalNames.refresh);

/**
 * Runs a fit job, or joins the one with the same job id. Rejected (`FitRunning`, `FitNotPossible`) while a different
 * job runs or after one succeeded.
 */
export const fit = defineUpdate<FitUpdate['result'], FitUpdate['args']>(temporalNames.fit);

/** Adds a reference task to the preparation queue. */
export const prepare = defineSignal<[string]>(temporalNames.prepare);
