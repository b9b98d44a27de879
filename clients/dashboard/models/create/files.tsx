import { plural } from '../../ui/values.tsx';
import type { FilesSummary } from '../file/summary.ts';

const minutes = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 6) / 10} minutes`;

/** The field for recordings, and a summary of them. */
export function Files({
  summary,
  reading,
  problem,
  onChoose,
}: {
  readonly summary: FilesSummary | null;
  readonly reading: boolean;
  /** The problem of the chosen files. */
  readonly problem: string | null;
  readonly onChoose: (files: readonly File[]) => void;
}) {
  return (
    <section aria-label="Recording">
      <h2>1. Recording</h2>
      <div class="field">
        <label for="recording">EDF, EDF+, BDF or BDF+ files of one person</label>
        <input
          id="recording"
          type="file"
          accept=".edf,.bdf,.rec,.edf+,.bdf+"
          multiple
          aria-describedby="recording-hint"
          aria-invalid={problem === null ? undefined : 'true'}
          onChange={({ currentTarget }) => {
            const files = Array.from(currentTarget.files ?? []);
            if (files.length > 0) onChoose(files);
          }}
        />
        <small id="recording-hint" class="hint">
          This browser reads the files and sends only the trials that you choose. Each file counts as one session.
        </small>
      </div>
      {reading && (
        <p class="waiting" aria-busy="true">
          Reading the recording …
        </p>
      )}
      {problem !== null && (
        <div class="notice bad" role="alert">
          <p>{problem}</p>
        </div>
      )}
      {summary && (
        <ul>
          {summary.files.map(({ name, seconds, events }, i) => (
            <li key={i}>
              <span class="file-name">{name}</span>: {minutes(seconds)}, {plural(events, 'event')}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
