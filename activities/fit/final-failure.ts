import { ApplicationFailure } from '@temporalio/common';
import type { FitFailure } from '../activities.ts';

/** Ends a fit with this error as its answer. Temporal does not retry it. The workflow reads it with `fitFailureOf`. */
export const finalFailure = ({
  code,
  message,
  ...details
}: Pick<FitFailure, 'code' | 'message'> & Partial<FitFailure>): ApplicationFailure =>
  ApplicationFailure.create({ type: code, message, nonRetryable: true, details: [details] });
