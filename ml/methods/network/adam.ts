import type { Parameters } from './graph.ts';

export interface AdamOptions {
  /** Step size of each kind of parameter. */
  readonly rates: Readonly<Record<keyof Parameters, number>>;
  /** Weight of half the squared distance to `anchor`, added to the loss. */
  readonly pull: Readonly<Record<keyof Parameters, number>>;
}

const names = ['filters', 'weights', 'bias'] as const;
const [keepFirst, keepSecond, epsilon] = [0.9, 0.999, 1e-8];

/** Adam (Kingma & Ba 2015) with a quadratic pull towards `anchor`, changing `parameters` in place. */
export function createAdam(
  parameters: Parameters,
  anchor: Parameters,
  { rates, pull }: AdamOptions,
): (gradients: Parameters) => void {
  const moments = Object.fromEntries(
    names.map((name) => [name, [new Float64Array(parameters[name].length), new Float64Array(parameters[name].length)]]),
  );
  let step = 0;
  return (gradients) => {
    step += 1;
    const [trustFirst, trustSecond] = [1 - keepFirst ** step, 1 - keepSecond ** step];
    for (const name of names) {
      const [values, slopes, home] = [parameters[name], gradients[name], anchor[name]];
      const [first, second] = moments[name];
      for (let i = 0; i < values.length; i += 1) {
        const slope = slopes[i] + pull[name] * (values[i] - home[i]);
        first[i] = keepFirst * first[i] + (1 - keepFirst) * slope;
        second[i] = keepSecond * second[i] + (1 - keepSecond) * slope ** 2;
        values[i] -= (rates[name] * first[i]) / trustFirst / (Math.sqrt(second[i] / trustSecond) + epsilon);
      }
    }
  };
}

export const copyOf = ({ filters, weights, bias }: Parameters): Parameters => ({
  filters: filters.slice(),
  weights: weights.slice(),
  bias: bias.slice(),
});
