import { writerOf } from '../../ml/sentences.ts';

/** Sentences of warnings about the fields of a request, by code. */
export const requestSentences = {
  label_spelling:
    'The labels {pairs} differ only in case or blanks, or in the Unicode form of a character, and are two classes each.',
  label_form:
    'The same label was sent in several Unicode forms (composed and decomposed): {labels}. Each is one class, in form NFC.',
  expires_at: 'expires_at ({sent}) has no offset and was read as UTC: {read}.',
  positions:
    '{far} of {channels} `positions` are more than {within} mm from where their channels lie on the template head ' +
    '({names}). Check that they are in the order of `channels`, in metres, and in the frame that `position_frame` names.',
  positions_not_used:
    '`positions` were not used: they give the movement network other electrodes than the fit had. The positions of the ' +
    'first request hold.',
  trial_length: "Trials of {length} were {done} to the {samples} samples of the model's trials.",
  other_rate:
    "x was sampled at {sent} Hz, and the model's trials at {fitted} Hz: both are read at {rate} Hz, up to {highest} Hz.",
  other_scale:
    "Likely wrong units: the median channel varies by {sent}, and by {fitted} in the model's trials. Is `units` the unit " +
    'that x is in?',
  encoder_failed:
    'This model is fitted without {encoder}, because all batches have the features of the first one, and it failed there.',
  ignored_classes: '`ignore_classes` left out {ignored} of {classes} classes with {trials} trials.',
  other_people:
    'The evidence is of {people} other people, each left out in turn; no score of your own trials is behind it. A ' +
    'quarter of them reached less than {quartile}.',
} as const;

export type RequestCode = keyof typeof requestSentences;

/** Writes a sentence about a field of a request. */
export const requestSentence = writerOf(requestSentences);
