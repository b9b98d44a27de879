/** How ids of task models are written, as part of a regular expression. */
export const modelIdForm = 'clf_[0-9a-f]{32}';

/** A whole id of a task model. */
export const modelIdPattern = new RegExp(`^${modelIdForm}$`);
