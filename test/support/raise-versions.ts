import { families } from '../../ml/features/families.ts';
import type { RecipeFamily } from '../../ml/features/recipe.ts';
import { methods, olderMethods } from '../../ml/methods/index.ts';
import type { Method } from '../../ml/methods/index.ts';
import { resamplers } from '../../ml/signal/index.ts';

/** Gives the registry a version 2 of a method whose scores are half as large; version 1 stays among the older rows. */
export function raiseMethod(id: string): void {
  const at = methods.findIndex((row) => row.id === id);
  const old = methods[at]!;
  const raised: Method = {
    ...old,
    version: String(Number(old.version) + 1),
    decide: (...input) => old.decide(...input).map((score) => score / 2),
  };
  (methods as Method[])[at] = raised;
  (olderMethods as Method[]).unshift(old);
}

/** Gives a family of feature sets a next version whose values are 1.5 times as large, plus 0.1; the others stay. */
export function raiseFamily(family: string): void {
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
}

/** Gives intake a next resampler, whose values are a tenth larger; the others stay. */
export function raiseResampler(): void {
  const newest = Math.max(...Object.keys(resamplers).map(Number));
  const old = resamplers[newest]!;
  Object.assign(resamplers, {
    [newest + 1]: (...input: Parameters<typeof old>) => {
      const { data, samples } = old(...input);
      return { data: data.map((value) => value * 1.1), samples };
    },
  });
}
