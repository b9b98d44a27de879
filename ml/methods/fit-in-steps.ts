import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import type { FitContext, Head, Method } from './types.ts';

type FitSteps = (context: FitContext) => Steps<Head>;

/** By the function itself, so that a row which replaces the `fit` of another does not keep its steps. */
const stepsOf = new WeakMap<Method['fit'], FitSteps>();

/** The `fit` of a method that can also be taken in steps. */
export function steppedFit(steps: FitSteps): Method['fit'] {
  const fit = (context: FitContext): Head => toEnd(steps(context));
  stepsOf.set(fit, steps);
  return fit;
}

/** Fits a method, in steps where its `fit` has some. */
export function* fitInSteps({ fit }: Pick<Method, 'fit'>, context: FitContext): Steps<Head> {
  const steps = stepsOf.get(fit);
  return steps ? yield* steps(context) : fit(context);
}
