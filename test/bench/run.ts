import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { methods, prepareMethods } from '../../ml/methods/index.ts';
import { dataFolder, recordingsMissing } from '../support/recordings.ts';
import { accuracy } from './accuracy.ts';
import { books } from './books.ts';
import { encodersAccuracy } from './encoders/accuracy.ts';
import { encodersCost } from './encoders/cost.ts';
import { encoders } from './encoders/encoders.ts';
import { fair } from './fair.ts';
import { fool } from './fool.ts';
import { guard } from './guard.ts';
import { health } from './health.ts';
import { hostile } from './hostile.ts';
import { kernels } from './kernels.ts';
import { latency } from './latency.ts';
import { movement } from './movement/movement.ts';
import { mirrored } from './movement/mirrored.ts';
import { movementSets } from './movement/sets.ts';
import { recognised } from './movement/recognised.ts';
import { noise } from './noise.ts';
import { pages } from './pages.ts';
import { prior } from './prior/prior.ts';
import { reference } from './reference-fits/reference.ts';
import { scaling } from './scaling.ts';
import { serve } from './serve/serve.ts';
import { sizes } from './sizes.ts';
import { speed } from './speed.ts';
import { tenants } from './tenants.ts';

/**
 * `npm run bench --
 * [speed|latency|kernels|scaling|health|hostile|fair|tenants|pages|noise|fool|movement|movement-sets|mirrored|recognised|prior|reference|serve|sizes|books|guard|encoders|accuracy …]
 * [--filter text] [--runs n] [--people n] [--whole n] [--kept folder] [--again] [--against folder] [--turns n]
 * [--seconds s] [--more] [--creates] [--accuracy] [--cost]`: no name runs everything.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    filter: { type: 'string' },
    again: { type: 'boolean' },
    runs: { type: 'string' },
    people: { type: 'string' },
    whole: { type: 'string' },
    kept: { type: 'string' },
    against: { type: 'string' },
    turns: { type: 'string' },
    seconds: { type: 'string' },
    more: { type: 'boolean' },
    creates: { type: 'boolean' },
    accuracy: { type: 'boolean' },
    cost: { type: 'boolean' },
  },
});

const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  speed: () => speed(values),
  latency,
  kernels,
  scaling,
  health,
  hostile,
  fair: () => fair(values.against ? { against: resolve(values.against) } : {}),
  tenants: () => tenants(values.seconds ? { seconds: Number(values.seconds) } : {}),
  pages: () => pages(values.runs ? { runs: Number(values.runs) } : {}),
  noise: () => noise(values.runs ? { runs: Number(values.runs) } : {}),
  fool: () =>
    fool({
      ...(values.runs ? { runs: Number(values.runs) } : {}),
      ...(values.filter ? { filter: values.filter } : {}),
    }),
  'movement-sets': () => movementSets(values.filter),
  mirrored,
  movement: () =>
    movement({
      ...(values.filter ? { filter: values.filter } : {}),
      ...(values.people ? { people: Number(values.people) } : {}),
      creates: values.creates ?? false,
    }),
  recognised: () =>
    recognised({
      ...(values.filter ? { filter: values.filter } : {}),
      ...(values.people ? { people: Number(values.people) } : {}),
    }),
  prior: () => prior(values.people ? { people: Number(values.people) } : {}),
  reference: () =>
    reference({
      ...(values.filter ? { filter: values.filter } : {}),
      ...(values.people ? { people: Number(values.people) } : {}),
      whole: Number(values.whole ?? 0),
      ...(values.kept ? { kept: values.kept } : {}),
    }),
  encoders: async () => {
    if (values.accuracy)
      await encodersAccuracy({
        ...(values.filter ? { filter: values.filter } : {}),
        ...(values.kept ? { kept: values.kept } : {}),
        ...(values.people ? { people: Number(values.people) } : {}),
      });
    if (values.cost) await encodersCost();
    if (!values.accuracy && !values.cost) await encoders();
  },
  accuracy: () => accuracy(values),
  guard,
  sizes,
  books,
  serve: () =>
    serve({
      ...(values.against ? { against: resolve(values.against) } : {}),
      ...(values.turns ? { turns: Number(values.turns) } : {}),
      ...(values.seconds ? { seconds: Number(values.seconds) } : {}),
      ...(values.filter ? { filter: values.filter } : {}),
      more: values.more ?? false,
      creates: values.creates ?? false,
    }),
};

if (recordingsMissing()) throw new Error(`The bench needs the real sets in ${dataFolder}.`);
await prepareMethods(methods);
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const part = parts[name];
  if (!part) throw new Error(`There is no bench "${name}"; there are ${Object.keys(parts).join(', ')}.`);
  await part();
}
