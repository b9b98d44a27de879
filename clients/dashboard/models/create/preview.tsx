import { useEffect, useState } from 'preact/hooks';
import { useWidth } from '../../ui/use-width.ts';
import { classesIn, trialsPerClass, type Draft } from '../file/draft.ts';
import { electrodesOf } from '../file/choice-of.ts';
import type { Preview } from '../file/preview.ts';
import type { Reader } from '../file/reader.ts';
import type { FilesSummary } from '../file/summary.ts';
import { PreviewPicture } from './preview-picture.tsx';

const usual = ['Fz', 'C3', 'Cz', 'C4', 'Pz', 'Oz'];
const most = 8;

/** Groups of electrodes that are drawn together: first a few over the whole head, then all of them in order. */
export function groupsOf(electrodes: readonly string[]): { readonly title: string; readonly names: string[] }[] {
  if (electrodes.length <= most) return [{ title: 'All', names: [...electrodes] }];
  const known = electrodes.filter((name) => usual.includes(name));
  const spread =
    known.length >= 3 ? known : electrodes.filter((_, i) => i % Math.ceil(electrodes.length / usual.length) === 0);
  const groups = [{ title: 'A few over the head', names: spread }];
  for (let i = 0; i < electrodes.length; i += most) {
    const names = electrodes.slice(i, i + most);
    groups.push({ title: names.length === 1 ? names[0] : `${names[0]} to ${names.at(-1)}`, names });
  }
  return groups;
}

/** Seconds that are shown for windows of a length. */
const shownSeconds = (length: number): number => Math.min(120, Math.max(8, 3 * length));

/** The signal around events, with the window of each trial shaded. */
export function SignalPreview({
  reader,
  summary,
  draft,
}: {
  readonly reader: Pick<Reader, 'preview' | 'eventBeside'>;
  readonly summary: FilesSummary;
  readonly draft: Draft;
}) {
  const [figure, width] = useWidth<HTMLElement>(800);
  const [file, setFile] = useState(0);
  const [group, setGroup] = useState(0);
  const [at, setAt] = useState<number | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const groups = groupsOf(electrodesOf(draft, summary));
  const shown = groups[Math.min(group, groups.length - 1)]?.names ?? [];
  const index = Math.min(file, summary.files.length - 1);
  const classes = Object.fromEntries(
    Object.entries(classesIn(draft, index)).flatMap(([text, label]) => (label.trim() ? [[text, label.trim()]] : [])),
  );
  const texts = Object.keys(classes);
  const [from, to] = [Number(draft.from), Number(draft.to)];
  const isWindow = draft.from.trim() !== '' && draft.to.trim() !== '' && to > from;
  const seconds = shownSeconds(isWindow ? to - from : 4);
  const allClasses = [...trialsPerClass(draft, summary).keys()];
  useEffect(() => {
    let here = true;
    void reader.eventBeside(index, { texts, after: -1, back: false }).then(
      (found) => here && setAt(found),
      () => undefined,
    );
    return () => void (here = false);
  }, [reader, index, texts.join('\n'), summary.files]);
  const begin = Math.max(0, (at ?? 0) + (isWindow ? Math.min(0, from) : 0) - seconds / 12);
  useEffect(() => {
    let here = true;
    const columns = Math.max(100, Math.round(width));
    void reader.preview({ file: index, from: begin, seconds, columns, electrodes: shown, said: draft.said }).then(
      (found) => here && setPreview(found),
      () => undefined,
    );
    return () => void (here = false);
  }, [reader, index, begin, seconds, width, shown.join(), draft.said, summary]);
  const go = async (back: boolean): Promise<void> => {
    const next = await reader.eventBeside(index, { texts, after: at ?? -1, back }).catch(() => null);
    if (next !== null) setAt(next);
  };
  return (
    <figure class="preview" ref={figure}>
      <figcaption>
        <strong>What a trial looks like</strong>
        <span class="tools">
          {summary.files.length > 1 && (
            <select
              aria-label="File that is drawn"
              value={index}
              onChange={({ currentTarget }) => setFile(Number(currentTarget.value))}
            >
              {summary.files.map(({ name }, i) => (
                <option key={i} value={i}>
                  {name}
                </option>
              ))}
            </select>
          )}
          {groups.length > 1 && (
            <select
              aria-label="Electrodes that are drawn"
              value={Math.min(group, groups.length - 1)}
              onChange={({ currentTarget }) => setGroup(Number(currentTarget.value))}
            >
              {groups.map(({ title }, i) => (
                <option key={title} value={i}>
                  {title}
                </option>
              ))}
            </select>
          )}
          <button type="button" class="secondary outline small" onClick={() => void go(true)}>
            Previous event
          </button>
          <button type="button" class="secondary outline small" onClick={() => void go(false)}>
            Next event
          </button>
        </span>
      </figcaption>
      {preview && preview.traces.length > 0 ? (
        <PreviewPicture
          preview={preview}
          width={width}
          classes={classes}
          allClasses={allClasses}
          window={isWindow ? [from, to] : null}
          cutSpans={draft.cutSpans}
        />
      ) : (
        <p class="waits">There is no electrode to draw yet.</p>
      )}
      <small>
        Each line is the voltage of one electrode over time. A shaded part is one trial; its line marks the event.
      </small>
    </figure>
  );
}
