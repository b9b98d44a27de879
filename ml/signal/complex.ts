/** A complex number; filter design works on short lists of them. */
export interface Complex {
  readonly re: number;
  readonly im: number;
}

export const complex = (re: number, im = 0): Complex => ({ re, im });
export const add = (a: Complex, b: Complex): Complex => complex(a.re + b.re, a.im + b.im);
export const subtract = (a: Complex, b: Complex): Complex => complex(a.re - b.re, a.im - b.im);
export const multiply = (a: Complex, b: Complex): Complex =>
  complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
export const scale = (a: Complex, by: number): Complex => complex(a.re * by, a.im * by);
export const modulus = (a: Complex): number => Math.hypot(a.re, a.im);

export function divide(a: Complex, b: Complex): Complex {
  const size = b.re * b.re + b.im * b.im;
  return complex((a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size);
}

/** Principal square root. */
export function squareRoot(a: Complex): Complex {
  const size = modulus(a);
  const re = Math.sqrt(Math.max((size + a.re) / 2, 0));
  const im = Math.sqrt(Math.max((size - a.re) / 2, 0));
  return complex(re, a.im < 0 ? -im : im);
}

export const productOf = (values: readonly Complex[]): Complex => values.reduce(multiply, complex(1));
