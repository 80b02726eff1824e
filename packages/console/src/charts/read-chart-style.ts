import type { ChartStyle } from './draw-chart.ts';

/** Reads the colours and the font of the theme, because a saved chart has no style sheet. */
export function readChartStyle(): ChartStyle {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    series: read('--color-series-1'),
    text: read('--color-text-muted'),
    grid: read('--color-border'),
    warning: read('--color-warning-text'),
    background: read('--color-surface'),
    font: read('--font-body'),
    fontSize: Number.parseFloat(read('--text-xs')) * Number.parseFloat(style.fontSize),
  };
}
