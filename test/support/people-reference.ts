/** What a report says of evidence over people. */
export const peopleReference = {
  people: 96,
  lower_bound_95: 0.61,
  one_person_95: [0.38, 0.97],
  quartiles: [0.55, 0.66, 0.79],
  balanced_accuracy_unaligned: 0.6,
  electrodes: ['C3', 'C4'],
  channels_not_read: [],
  seconds: 4,
  notes: [],
};
