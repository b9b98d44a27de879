import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import type { FitContext, Head, Method } from './types.ts';

type FitSteps = (context: FitContext) => Steps<Head>;

/** Keyed by the function, so that a row that replaces the `fit` of another does not keep its steps. */
const stepsOf = new WeakMap<Method['fit'], FitSteps>();

/** Creates the `fit` of a method that can also run in steps. */
export function steppedFit(steps: FitSteps): Method['fit'] {
  const fit = (context: FitContext): Head => toEnd(steps(context));
  stepsOf.set(fit, steps);
  return fit;
}

/** Fits a method, in steps if its `fit` has some. */
export function* fitInSteps({ fit }: Pick<Method, 'fit'>, context: FitContext): Steps<Head> {
  const steps = stepsOf.get(fit);
  return steps ? yield* steps(context) : fit(context);
}
