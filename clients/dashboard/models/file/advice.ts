/** Windows that the interface recommends (spec, "Epoching"). */
export const usualWindows: readonly { readonly task: string; readonly from: number; readonly to: number }[] = [
  { task: 'Event-related potentials', from: 0, to: 1 },
  { task: 'Motor imagery or movement', from: 0, to: 4 },
  { task: 'The same without the response to the cue', from: 1, to: 4 },
  { task: 'Sleep stages', from: 0, to: 30 },
];
