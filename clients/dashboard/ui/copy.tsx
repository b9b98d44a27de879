import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** Code or an identifier with a copy button. If the browser forbids copying, the text is selected instead. */
export function Copied({
  text,
  label,
  block,
  children,
}: {
  readonly text: string;
  /** Name of the copied thing, for the button: `key`, `command`. */
  readonly label: string;
  readonly block?: boolean;
  /** Shown in place of the text, such as a link. */
  readonly children?: ComponentChildren;
}) {
  const code = useRef<HTMLElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      getSelection()?.selectAllChildren(code.current!);
      setSaid('Selected: press Ctrl+C');
    }
  };
  return (
    <div class={block ? 'copied block' : 'copied'}>
      {block ? (
        <pre tabIndex={0} aria-label={label}>
          <code ref={code}>{text}</code>
        </pre>
      ) : (
        <code ref={code}>{children ?? text}</code>
      )}
      <button type="button" class="secondary outline small" onClick={() => void copy()}>
        Copy {label}
      </button>
      <span role="status" class="said">
        {said}
      </span>
    </div>
  );
}
