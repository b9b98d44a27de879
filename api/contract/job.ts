import { z } from 'zod';
import { jobIdPattern } from '../../infra/contract/job-id.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { Answered } from '../../infra/contract/reference-evidence.ts';
import { modelId, taskModel, unixSeconds } from '../../infra/contract/task-model-resource.ts';
import { errorObject } from './responses.ts';

const candidate = z.object({
  method: z.string(),
  title: z.string(),
  status: z.enum(['running', 'scored', 'failed', 'dropped']),
  balanced_accuracy: z.number().nullable(),
});

/** A create or fit that runs after its request was answered (`Prefer: respond-async`). */
export const job = z
  .object({
    object: z.literal('job'),
    id: z.string().regex(jobIdPattern).meta({ description: '`job_` and 32 hexadecimal digits.' }),
    operation: z.enum(['create', 'fit']),
    status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
    test: z.boolean().meta({ description: 'Requested with a test key.' }),
    task_model_id: modelId.meta({ description: 'Id of the model, which exists once a create has succeeded.' }),
    created: unixSeconds,
    finished: unixSeconds.nullable(),
    fit_seconds: z.int().meta({ description: 'Estimated processor seconds of the fit, without waiting for its turn.' }),
    progress: z.object({
      candidates_scored: z.int(),
      candidates: z.array(candidate).meta({ description: 'Methods that were begun so far.' }),
    }),
    task_model: taskModel
      .nullable()
      .meta({ description: 'Once it has succeeded: what the request would have answered.' }),
    error: errorObject
      .nullable()
      .meta({ description: 'Once it has failed or was cancelled: the error of the request.' }),
  })
  .meta({ id: 'Job', description: `A create or fit as a job, readable for ${limits.jobDays} days after its end.` });

export type Job = Answered<z.infer<typeof job>>;
