import type { z } from 'zod';
import type { estimate, finding, listPage, taskModelRow } from '../../../api/contract/responses.ts';
import type { taskModel } from '../../../infra/contract/task-model-resource.ts';

/** The API's answers about task models. */
export type TaskModelAnswer = z.output<typeof taskModel>;
export type TaskModelRowAnswer = z.output<typeof taskModelRow>;
export type ListAnswer = z.output<typeof listPage>;
export type EstimateAnswer = z.output<typeof estimate>;
export type FindingAnswer = z.output<typeof finding>;
