/** Lines of each icon in a square of 16 pixels. */
const lines = {
  overview: 'M2 7.5L8 2.5l6 5V13a.5.5 0 0 1-.5.5h-11A.5.5 0 0 1 2 13zM6.5 13.5v-4h3v4',
  models: 'M1.5 8h2l1.5-5 2.5 10 2.5-8 1.5 5 1-2h2',
  keys: 'M9 7l5-5M12 4l1.5 1.5M5.5 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  usage: 'M2.5 13.5v-5M6.5 13.5v-11M10.5 13.5v-7M14 13.5H1.5',
  requests: 'M2.5 3.5h11M2.5 8h11M2.5 12.5h7',
  billing: 'M1.5 3.5h13v9h-13zM1.5 6.5h13M4 10h3',
  settings: 'M2 4.5h7M12 4.5h2M10.5 3v3M2 11.5h2M7 11.5h7M5.5 10v3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.5 10.5L14 14',
} as const;

export type IconName = keyof typeof lines;

/** An icon beside a word, which says the same. Screen readers skip it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={lines[name]} />
  </svg>
);
