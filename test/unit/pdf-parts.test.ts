import { expect, it } from 'vitest';
import { pathCommands } from '../../clients/dashboard/charts/export/path-commands.ts';
import { winAnsi } from '../../clients/dashboard/charts/export/pdf-text.ts';

it('a path is read in absolute coordinates', () => {
  expect(pathCommands('M10,20l6,6l-6,6z')).toEqual([['m', 10, 20], ['l', 16, 26], ['l', 10, 32], ['h']]);
  expect(pathCommands('M-2,-2H2V2H-2Z')).toEqual([['m', -2, -2], ['l', 2, -2], ['l', 2, 2], ['l', -2, 2], ['h']]);
  expect(pathCommands('M0,0C1,2 3,4 5,6')).toEqual([
    ['m', 0, 0],
    ['c', 1, 2, 3, 4, 5, 6],
  ]);
  expect(pathCommands('m1 1 2-3.5e-1.5.5')).toEqual([
    ['m', 1, 1],
    ['l', 3, 0.65],
    ['l', 3.5, 1.15],
  ]);
});

it('a path with other commands is refused, and not drawn wrongly', () => {
  expect(() => pathCommands('M0,0A1,1 0 0 0 2,2')).toThrow('command A');
});

it('a text is written with the codes of the standard fonts, or not at all', () => {
  expect(winAnsi('95 %')).toBe('<39352025>');
  expect(winAnsi('µV – “é” …')).toBe('<b55620962093e9942085>');
  expect(winAnsi('−1')).toBe('<9631>');
  expect(winAnsi('βήτα')).toBeNull();
  expect(winAnsi('a\nb')).toBeNull();
});
