const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1000;

/** Returns a number of bytes in the largest unit that keeps it above one, as the language writes it. */
export function formatBytes(bytes: number, language: string): string {
  const power = Math.min(UNITS.length - 1, bytes < STEP ? 0 : Math.floor(Math.log10(bytes) / 3));
  const unit = UNITS[power] as (typeof UNITS)[number];
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  });
  return format.format(bytes / STEP ** power);
}
