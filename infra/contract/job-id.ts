/** The id of a fit job as callers see it: `job_` and the 32 hexadecimal digits of its UUID. */
const jobIdForm = 'job_[0-9a-f]{32}';
export const jobIdPattern = new RegExp(`^${jobIdForm}$`);

export const publicJobId = (jobId: string): string => `job_${jobId.replaceAll('-', '')}`;

/** The UUID of a public id; null: the text is no such id. */
export const jobIdOf = (publicId: string): string | null =>
  jobIdPattern.test(publicId) ? publicId.replace(/^job_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null;
