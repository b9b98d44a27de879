import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How wide an element is, in CSS pixels: what is drawn at that width keeps its text readable on a phone. */
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
