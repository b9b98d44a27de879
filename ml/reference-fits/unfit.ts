/** Nothing can be learned from these people for this shape of trials. The message is a sentence with the numbers. */
export class ReferenceUnfit extends Error {}
