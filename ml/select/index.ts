/** Selects the methods that are tried on a data set, from its shape alone (spec, "What the service does"). */
export { priorOf, type PriorShape } from './priors/prior.ts';
export { select, type Selection } from './select.ts';
