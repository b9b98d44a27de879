/** Formats of recordings that the pages read, in words. */
export const formatsRead = 'EDF, BDF, BrainVision, EEGLAB, FIF, OpenBCI or Muse';
