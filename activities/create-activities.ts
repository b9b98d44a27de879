import type { ActivityDeps } from './deps.ts';
import { createAbandonFit } from './fit/abandon-fit.ts';
import { createFitModel } from './fit/fit-model.ts';
import { createReadLifecycle } from './lifecycle/read-lifecycle.ts';
import { createCleanUpModel, createSettleLifecycle } from './lifecycle/settle-lifecycle.ts';
import { createCheckBooks } from './reconcile/check-books.ts';
import { createReconcileModels } from './reconcile/reconcile-models.ts';
import { oldestStagedAt, recorded } from './reconcile/recorded.ts';
import { createSweep } from './reconcile/sweep.ts';
import { createTidyObjects } from './reconcile/tidy-objects.ts';
import { createTidyReference } from './reconcile/tidy-reference-fits.ts';
import { createFitPeople, createGiveUpPeopleFit } from './reference-fits/fit-people.ts';
import { createPreparePerson } from './reference-data/prepare-person.ts';
import { createSettlePreparation } from './reference-data/settle-preparation.ts';
import { createSurveyReference } from './reference-data/survey-reference.ts';
import { createTools } from './tools.ts';
import type { Activities } from './activities.ts';

/** Every activity of the workflows. */
export function createActivities(deps: ActivityDeps): Activities {
  const tools = createTools(deps);
  return {
    readLifecycle: createReadLifecycle(tools),
    settleLifecycle: createSettleLifecycle(tools),
    cleanUpModel: createCleanUpModel(tools),
    fitModel: createFitModel(tools),
    abandonFit: createAbandonFit(tools),
    sweep: recorded(tools, { name: 'sweep', run: createSweep(tools), oldestStaged: () => oldestStagedAt(tools) }),
    reconcileModels: recorded(tools, {
      name: 'models',
      run: createReconcileModels(tools),
      whole: (report) => ({ ...report, next: null, found: report.problems.length }),
      found: (report) => report.found,
    }),
    checkBooks: recorded(tools, { name: 'books', run: createCheckBooks(tools) }),
    tidyReference: recorded(tools, { name: 'reference', run: createTidyReference(tools) }),
    tidyObjects: recorded(tools, { name: 'objects', run: createTidyObjects(tools) }),
    surveyReference: createSurveyReference(tools),
    preparePerson: createPreparePerson(tools),
    settlePreparation: createSettlePreparation(tools),
    fitPeople: createFitPeople(tools),
    giveUpPeopleFit: createGiveUpPeopleFit(tools),
  };
}
