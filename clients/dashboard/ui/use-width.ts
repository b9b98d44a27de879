import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Width of an element in CSS pixels. A chart drawn at this width has readable text on a phone. */
export function useWidth<T extends HTMLElement>(atFirst: number): readonly [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(atFirst);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) => setWidth(Math.round(contentRect.width) || atFirst));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
