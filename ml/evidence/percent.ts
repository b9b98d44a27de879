/** A share as a reader is told it: in percent, to a tenth. */
export const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
