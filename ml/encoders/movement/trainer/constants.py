"""What the network reads. The card repeats these numbers, and the service takes them from the card."""

# Sites that a filter can have a weight for: those of the database without the frontal pole and the temples, where eye
# movements dominate, and without T9, T10 and Iz, which few caps have.
SITES = (
    "FC5 FC3 FC1 FCz FC2 FC4 FC6 C5 C3 C1 Cz C2 C4 C6 CP5 CP3 CP1 CPz CP2 CP4 CP6 AF3 AFz AF4 F7 F5 F3 F1 Fz F2 F4 F6 F8 "
    "FT7 FT8 T7 T8 TP7 TP8 P7 P5 P3 P1 Pz P2 P4 P6 P8 PO7 PO3 POz PO4 PO8 O1 Oz O2"
).split()

# Pass bands in Hz.
BANDS = ((4, 7), (7, 9.5), (9.5, 12), (12, 19), (19, 28), (28, 40))

# Parts of equal length that the trial is cut into.
BLOCKS = 5

RATE_HZ = 256
SECONDS = 4
