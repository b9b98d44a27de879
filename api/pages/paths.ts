/** Where the account pages are; each page is a path below it. */
export const pagesPath = '/dashboard';

/** Where what they are made of is: names there hold a hash, so that a browser keeps it for good. */
export const assetsPath = `${pagesPath}/assets`;
