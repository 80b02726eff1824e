/** One bar of a panel. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Said after the value. */
  readonly note: string;
  /** `sluice` has the accent, `limit` is an outline. */
  readonly kind: 'sluice' | 'limit' | 'peer';
}

export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 760;
const MARGIN = 24;
const LABEL_WIDTH = 150;
const VALUE_WIDTH = 190;
const BAR_HEIGHT = 20;
const BAR_STEP = 30;
const TITLE_HEIGHT = 44;
const PANEL_GAP = 14;

/** Readable on a light and on a dark page: the colours follow the reader's preference, and there is no background. */
const STYLE = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #24292f; }
  .title { font-weight: 600; font-size: 14px; }
  .value { font-variant-numeric: tabular-nums; fill: #57606a; }
  .own { font-weight: 600; }
  .axis { stroke: #d0d7de; }
  .sluice { fill: #0969da; }
  .peer { fill: #8c959f; }
  .limit { fill: none; stroke: #8c959f; stroke-width: 1.5; stroke-dasharray: 4 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .value { fill: #9198a1; }
    .axis { stroke: #3d444d; }
    .sluice { fill: #4493f8; }
    .peer { fill: #656c76; }
    .limit { stroke: #9198a1; }
  }`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Draws panels of horizontal bars, one below the other, as SVG. Each panel has its own scale, from zero. */
export function drawChart(description: string, panels: readonly Panel[]): string {
  let top = 0;
  const drawn = panels.map((panel) => {
    const lines = drawPanel(panel, top);
    top += heightOf(panel) + PANEL_GAP;
    return lines;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img" aria-label="${escaped(description)}">
<title>${escaped(description)}</title>
<style>${STYLE}
</style>
${drawn.flat().join('\n')}
</svg>
`;
}

const heightOf = ({ bars }: Panel): number => TITLE_HEIGHT + bars.length * BAR_STEP;

function drawPanel({ title, bars }: Panel, top: number): readonly string[] {
  const left = MARGIN + LABEL_WIDTH;
  const room = WIDTH - left - VALUE_WIDTH - MARGIN;
  const largest = Math.max(...bars.map(({ value }) => value));
  const first = top + TITLE_HEIGHT;
  const lines = bars.map(({ label, value, note, kind }, index) => {
    const y = first + index * BAR_STEP;
    const width = Math.max(1, (room * value) / largest).toFixed(1);
    const baseline = y + BAR_HEIGHT / 2 + 4.5;
    const own = kind === 'sluice' ? ' class="own"' : '';
    return [
      `<text x="${left - 10}" y="${baseline}" text-anchor="end"${own}>${escaped(label)}</text>`,
      `<rect class="${kind}" x="${left}" y="${y}" width="${width}" height="${BAR_HEIGHT}" rx="3"/>`,
      `<text class="value" x="${(left + Number(width) + 8).toFixed(1)}" y="${baseline}">${valueText(value)}, ${escaped(note)}</text>`,
    ].join('\n');
  });
  const bottom = first + bars.length * BAR_STEP - (BAR_STEP - BAR_HEIGHT) + 4;
  const axis = `<line class="axis" x1="${left}" y1="${first - 4}" x2="${left}" y2="${bottom}"/>`;
  return [`<text class="title" x="${MARGIN}" y="${top + 26}">${escaped(title)}</text>`, axis, ...lines];
}

const valueText = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));
