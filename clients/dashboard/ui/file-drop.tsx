import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

/** Endings of the files that the pages read, and of the parts that belong to them. */
const accept = '.edf,.bdf,.rec,.edf+,.bdf+,.vhdr,.vmrk,.eeg,.dat,.set,.fdt,.fif,.txt,.csv';

/** A field for files: drop them on it, or choose them. */
export function FileDrop({
  label,
  hint,
  several,
  invalid,
  testId,
  beside,
  onFiles,
}: {
  readonly label: string;
  readonly hint: string;
  /** Whether more than one file can be chosen. */
  readonly several?: boolean;
  readonly invalid: boolean;
  readonly testId?: string;
  /** Another way to begin, such as sample data. */
  readonly beside?: ComponentChildren;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null | undefined): void => {
    const all = Array.from(files ?? []);
    if (all.length > 0) onFiles(several ? all : all.slice(0, 1));
  };
  return (
    <div
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <div class="choose">
        <input
          id={id}
          class="unseen"
          type="file"
          accept={accept}
          multiple={several}
          data-testid={testId}
          aria-describedby={`${id}-hint`}
          aria-invalid={invalid ? 'true' : undefined}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // The same file can be chosen again after it was changed.
            currentTarget.value = '';
          }}
        />
        <label for={id} class="button">
          {label}
        </label>
        <span class="or">or drop files here</span>
        {beside}
      </div>
      <small id={`${id}-hint`} class="hint">
        {hint}
      </small>
    </div>
  );
}
