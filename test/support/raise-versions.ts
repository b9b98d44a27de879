import { families } from '../../ml/features/families.ts';
import type { RecipeFamily } from '../../ml/features/recipe.ts';
import { methods, olderMethods } from '../../ml/methods/index.ts';
import type { Method } from '../../ml/methods/index.ts';
import { resamplers } from '../../ml/signal/index.ts';
import { answers } from '../../ml/train/answers.ts';

/** Restores the former version. */
type Undo = () => void;

/**
 * Gives the registry a next version of a method whose scores are half as large; the version before stays among the
 * older rows.
 */
export function raiseMethod(id: string): Undo {
  const at = methods.findIndex((row) => row.id === id);
  const old = methods[at]!;
  const raised: Method = {
    ...old,
    version: String(Number(old.version) + 1),
    decide: (...input) => old.decide(...input).map((score) => score / 2),
  };
  (methods as Method[])[at] = raised;
  (olderMethods as Method[]).unshift(old);
  return () => {
    (methods as Method[])[at] = old;
    (olderMethods as Method[]).splice(olderMethods.indexOf(old), 1);
  };
}

/** Gives a family of feature sets a next version whose values are 1.5 times as large, plus 0.1; the others stay. */
export function raiseFamily(family: string): Undo {
  const versions = families[family] as Record<number, RecipeFamily>;
  const newest = Math.max(...Object.keys(versions).map(Number));
  const old = versions[newest]!;
  versions[newest + 1] = (args) => {
    const recipe = old(args);
    return {
      ...recipe,
      write(source, out, at) {
        recipe.write(source, out, at);
        for (let i = at; i < at + recipe.dimension(source.shape); i += 1) out[i] = 1.5 * out[i]! + 0.1;
      },
    };
  };
  return () => delete versions[newest + 1];
}

/** Gives intake a next resampler, whose values are a tenth larger; the others stay. */
export function raiseResampler(): Undo {
  const newest = Math.max(...Object.keys(resamplers).map(Number));
  const old = resamplers[newest]!;
  const versions = resamplers as Record<number, typeof old>;
  versions[newest + 1] = (...input) => {
    const { data, samples } = old(...input);
    return { data: data.map((value) => value * 1.1), samples };
  };
  return () => delete versions[newest + 1];
}

/** Gives models a next answer, whose probabilities are those of a temperature twice as high; the others stay. */
export function raiseAnswer(): Undo {
  const newest = Math.max(...Object.keys(answers).map(Number));
  const old = answers[newest]!;
  const versions = answers as Record<number, typeof old>;
  versions[newest + 1] = {
    ...old,
    softmax: (logScores, classes, temperature) => old.softmax(logScores, classes, 2 * temperature),
  };
  return () => delete versions[newest + 1];
}
