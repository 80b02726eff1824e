/** The decimal exponent from which DuckDB writes doubles with an exponent, where JavaScript waits until 21. */
const EXPONENT_MAX = 16;
const EXPONENT_MIN = -4;

/** The text of a finite double as DuckDB's cast writes it: the shortest digits that read back as the same double. */
export function doubleText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponentText = ''] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= EXPONENT_MIN && exponent < EXPONENT_MAX) {
    const fixed = String(value);
    return fixed.includes('.') ? fixed : `${fixed}.0`;
  }
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}
