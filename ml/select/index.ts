/** Selects the methods that are tried on a data set, from its shape alone (spec, "What the service does"). */
export { select, type Selection } from './select.ts';
