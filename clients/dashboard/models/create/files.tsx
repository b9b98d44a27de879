import type { ComponentChildren } from 'preact';
import { formatsRead } from '../../../../infra/contract/formats.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { plural } from '../../ui/values.tsx';
import { Notices } from '../notices.tsx';
import { RateQuestion } from './rate-question.tsx';
import type { FilesSummary } from '../file/summary.ts';

/** A length in words. */
export const minutes = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 6) / 10} minutes`;

/** The field for recordings, and a summary of them. */
export function Files({
  summary,
  reading,
  problem,
  beside,
  onChoose,
  onRate,
}: {
  readonly summary: FilesSummary | null;
  readonly reading: boolean;
  /** The problem of the chosen files. */
  readonly problem: string | null;
  /** Another way to begin. */
  readonly beside?: ComponentChildren;
  readonly onChoose: (files: readonly File[]) => void;
  /** Reads the files at a rate that the person says; null: they do not ask for one. */
  readonly onRate: ((rateHz: number) => void) | null;
}) {
  return (
    <>
      <FileDrop
        label={summary ? 'Choose other recordings' : 'Choose recordings'}
        hint={
          `${formatsRead} files of one person, with events. Choose files that belong together at once, such as a ` +
          'hypnogram and its recording. This browser reads them and sends only the trials that you choose. Each ' +
          'recording counts as one session.'
        }
        several
        invalid={problem !== null}
        beside={beside}
        onFiles={onChoose}
      />
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
      {onRate && <RateQuestion onRate={onRate} />}
      {summary && (
        <ul class="files">
          {summary.files.map(({ name, seconds, events, notices }, i) => (
            <li key={i}>
              <span class="file-name">{name}</span>: {minutes(seconds)}, {plural(events, 'event')}
              <Notices notices={notices} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
