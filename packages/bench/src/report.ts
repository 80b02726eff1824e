import type { Measured } from './measure.ts';

/** One line of the table: a way to get a result out, beside the engine's own. */
export interface ReportRow {
  readonly name: string;
  readonly rows: number;
  readonly ours: readonly Measured[];
  readonly engine: readonly Measured[];
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
};

const HEADER = [
  'result',
  'rows',
  'COPY rows/s',
  'HTTP rows/s',
  'speed, × of COPY',
  'CPU, × of COPY',
  'first byte ms',
  'MB',
];

/** A Markdown table of medians; ratios are of medians taken interleaved in the same run. */
export function report(rows: readonly ReportRow[]): string {
  const lines = rows.map((row) => {
    const ms = median(row.ours.map((one) => one.ms));
    const engineMs = median(row.engine.map((one) => one.ms));
    const cpu = median(row.ours.map((one) => one.cpuSeconds)) / median(row.engine.map((one) => one.cpuSeconds));
    return [
      row.name,
      row.rows.toLocaleString('en'),
      perSecond(row.rows, engineMs),
      perSecond(row.rows, ms),
      (engineMs / ms).toFixed(2),
      cpu.toFixed(2),
      median(row.ours.map((one) => one.firstByteMs)).toFixed(1),
      (median(row.ours.map((one) => one.bytes)) / 1e6).toFixed(1),
    ];
  });
  return [HEADER, HEADER.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const perSecond = (rows: number, ms: number): string => Math.round((rows / ms) * 1000).toLocaleString('en');
