import { useState } from 'preact/hooks';
import { savePicture } from './export/save-picture.ts';

const formats = ['PNG', 'SVG', 'PDF'] as const;

/** Buttons that save the picture of the surrounding figure. */
export function SaveButtons({ title }: { readonly title: string }) {
  const [said, setSaid] = useState('');
  const save = async (button: Element, format: (typeof formats)[number]): Promise<void> => {
    setSaid('');
    try {
      await savePicture(button.closest('figure')!, title, format);
    } catch {
      setSaid(`The picture could not be saved as ${format}. Try another format.`);
    }
  };
  return (
    <div class="save-picture">
      <span aria-hidden="true">Save as</span>
      {formats.map((format) => (
        <button
          key={format}
          type="button"
          class="plain"
          data-testid={`picture-${format.toLowerCase()}`}
          aria-label={`Save “${title}” as ${format}`}
          onClick={({ currentTarget }) => void save(currentTarget, format)}
        >
          {format}
        </button>
      ))}
      <span role="status">{said}</span>
    </div>
  );
}
