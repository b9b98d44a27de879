import type { Operation } from '../contract/operation.ts';
import { createTaskModel } from './create.ts';
import { fitTaskModel } from './fit.ts';
import { cancelRunningJob, getJob } from './jobs.ts';
import { predictTrials } from './predictions.ts';
import type { Route } from './route.ts';
import { getHealth, getReadiness, getStatus, getUsage } from './service.ts';
import { deleteTaskModel, getTaskModel, listTaskModels, updateTaskModel } from './task-models.ts';
import { addTrials } from './trials.ts';

/** Routes of the process itself: no key, no body, no database. */
export const serviceRoutes: readonly Route[] = [getHealth, getReadiness];

/** Routes of the public interface, in the order of its description. */
export const v1Routes: readonly Route[] = [
  getStatus,
  getUsage,
  listTaskModels,
  createTaskModel,
  getTaskModel,
  updateTaskModel,
  addTrials,
  fitTaskModel,
  predictTrials,
  deleteTaskModel,
  getJob,
  cancelRunningJob,
];

/** Every endpoint of the interface description. */
export const operations: readonly Operation[] = [...serviceRoutes, ...v1Routes].map(({ operation }) => operation);
