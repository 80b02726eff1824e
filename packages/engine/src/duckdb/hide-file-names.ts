/**
 * Removes the files that EXPLAIN ANALYZE of a view over files names. Each format of a plan has its own rule; in the boxes of
 * `text` a name continues on several lines, next to those of other boxes, so a search for known paths would not find it.
 */
export function hideFileNames(plan: string): string {
  if (!plan.includes(LABEL)) return plan;
  const json = plan.replace(/("Filename\(s\)":\s*)"(?:[^"\\]|\\.)*"/g, '$1"..."');
  const tree = hideUntil(json, `${LABEL}:\\n`, /\\n─|"/g);
  const graph = hideHtmlValues(tree).replace(/^(\tFilename\(s\): ).*(?:\n(?!\t[A-Z]).*)*?(?=\n\t[A-Z]|`)/gm, '$1...');
  return hideInBoxes(graph);
}

const LABEL = 'Filename(s)';
const HTML_LABEL = `<div class="sub-title">${LABEL}</div>`;
const HTML_VALUE = /\s*<div class="value">/y;
const HTML_END = '</div>';
const SIDE = '│';

/** Hides the text between a label and the next `end`. If no `end` follows, none follows a later label either. */
function hideUntil(plan: string, label: string, end: RegExp): string {
  let hidden = '';
  let position = 0;
  for (let at = plan.indexOf(label); at !== -1; at = plan.indexOf(label, position)) {
    end.lastIndex = at + label.length;
    const found = end.exec(plan);
    if (found === null) break;
    hidden += `${plan.slice(position, at + label.length)}...`;
    position = found.index;
  }
  return hidden + plan.slice(position);
}

/** Removes the values after the label in an HTML plan. */
function hideHtmlValues(plan: string): string {
  let hidden = '';
  let position = 0;
  for (let at = plan.indexOf(HTML_LABEL); at !== -1; at = plan.indexOf(HTML_LABEL, position)) {
    hidden += plan.slice(position, at + HTML_LABEL.length);
    position = endOfHtmlValues(plan, at + HTML_LABEL.length);
  }
  return hidden + plan.slice(position);
}

function endOfHtmlValues(plan: string, start: number): number {
  for (let position = start; ; ) {
    HTML_VALUE.lastIndex = position;
    if (!HTML_VALUE.test(plan)) return position;
    const end = plan.indexOf(HTML_END, HTML_VALUE.lastIndex);
    if (end === -1) return plan.length; // a value without an end is hidden too
    position = end + HTML_END.length;
  }
}

/** Characters between two sides of a box. */
interface Box {
  readonly start: number;
  readonly end: number;
}

/** Empties the box under a label down to its first empty line, or to the lower edge of a box. */
function hideInBoxes(plan: string): string {
  let open: readonly Box[] = [];
  const lines = plan.split('\n').map((line) => {
    if (line.includes('┘')) open = [];
    const hidden = hideBoxes(line, open);
    const opened = boxesWith(hidden.line);
    open = opened.length === 0 ? hidden.open : [...hidden.open, ...opened].sort((a, b) => a.start - b.start);
    return hidden.line;
  });
  return lines.join('\n');
}

/** Returns the line without the contents of its open boxes, and the boxes that continue. */
function hideBoxes(line: string, open: readonly Box[]): { readonly line: string; readonly open: readonly Box[] } {
  if (open.length === 0 || line === '') return { line, open };
  // A wide character before a box shifts its columns: then nothing of the line is kept.
  const isAligned = !WIDE.test(line) && open.every(({ start, end }) => line[start - 1] === SIDE && line[end] === SIDE);
  if (!isAligned) return { line: '', open };
  const filled = open.filter(({ start, end }) => line.slice(start, end).trim() !== '');
  let hidden = '';
  let position = 0;
  for (const { start, end } of filled) {
    if (end <= position) continue; // it is inside the previous box
    const from = Math.max(start, position);
    hidden += line.slice(position, from) + ' '.repeat(end - from);
    position = end;
  }
  return { line: hidden + line.slice(position), open: filled };
}

/** Returns the boxes of a line that contain the label, each once, from left to right. */
function boxesWith(line: string): readonly Box[] {
  if (!line.includes(LABEL)) return [];
  const boxes: Box[] = [];
  let start = line.indexOf(SIDE) + 1;
  while (start > 0) {
    const end = line.indexOf(SIDE, start);
    if (end === -1) break;
    if (line.slice(start, end).includes(`${LABEL}:`)) boxes.push({ start, end });
    start = end + 1;
  }
  return boxes;
}

/** Anything except ASCII and box-drawing lines. */
const WIDE = /[^\x20-\x7e\u2500-\u257f]/;
