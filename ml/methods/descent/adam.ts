/** Learned parameters of a network, by name. */
export type ParametersOf<Name extends string> = Readonly<Record<Name, Float64Array>>;

export interface AdamOptions<Name extends string> {
  /** Step size of each kind of parameter. */
  readonly rates: Readonly<Record<Name, number>>;
  /** Weight of half the squared distance to `anchor`, added to the loss. */
  readonly pull: Readonly<Record<Name, number>>;
}

const [keepFirst, keepSecond, epsilon] = [0.9, 0.999, 1e-8];

const namesOf = <Name extends string>(parameters: ParametersOf<Name>): Name[] => Object.keys(parameters) as Name[];

/** Adam (Kingma & Ba 2015) with a quadratic pull towards `anchor`. Changes `parameters` in place. */
export function createAdam<Name extends string>(
  parameters: ParametersOf<Name>,
  anchor: ParametersOf<Name>,
  { rates, pull }: AdamOptions<Name>,
): (gradients: ParametersOf<Name>) => void {
  const moments = namesOf(parameters).map((name) => {
    const { length } = parameters[name];
    return { name, first: new Float64Array(length), second: new Float64Array(length) };
  });
  let step = 0;
  return (gradients) => {
    step += 1;
    const [trustFirst, trustSecond] = [1 - keepFirst ** step, 1 - keepSecond ** step];
    for (const { name, first, second } of moments) {
      const [values, slopes, home] = [parameters[name], gradients[name], anchor[name]];
      for (let i = 0; i < values.length; i += 1) {
        const slope = slopes[i] + pull[name] * (values[i] - home[i]);
        first[i] = keepFirst * first[i] + (1 - keepFirst) * slope;
        second[i] = keepSecond * second[i] + (1 - keepSecond) * slope ** 2;
        values[i] -= (rates[name] * first[i]) / trustFirst / (Math.sqrt(second[i] / trustSecond) + epsilon);
      }
    }
  };
}

export const copyOf = <Name extends string>(parameters: ParametersOf<Name>): ParametersOf<Name> =>
  Object.fromEntries(namesOf(parameters).map((name) => [name, parameters[name].slice()])) as ParametersOf<Name>;
