/**
 * EXPLAIN ANALYZE of a view over files names those files. Each format of a plan is cleaned by its own rule; in the boxes of
 * `text` a name goes on over several lines, beside those of other boxes, so a search for known paths would not find it.
 */
export function hideFileNames(plan: string): string {
  if (!plan.includes(LABEL)) return plan;
  return hideInBoxes(
    plan
      .replace(/("Filename\(s\)":\s*)"(?:[^"\\]|\\.)*"/g, '$1"..."')
      .replace(/(Filename\(s\):\\n)[^"]*?(?=\\n─|")/g, '$1...')
      .replace(/(<div class="sub-title">Filename\(s\)<\/div>\s*)(?:<div class="value">[\s\S]*?<\/div>\s*)+/g, '$1')
      .replace(/^(\tFilename\(s\): ).*(?:\n(?!\t[A-Z]).*)*?(?=\n\t[A-Z]|`)/gm, '$1...'),
  );
}

const LABEL = 'Filename(s)';
const SIDE = '│';

function hideInBoxes(plan: string): string {
  const lines = plan.split('\n');
  for (let row = 0; row < lines.length; row += 1) {
    const line = lines[row] ?? '';
    for (const box of boxesWith(line)) hideBelow(lines, row + 1, box);
  }
  return lines.join('\n');
}

/** Characters between two sides of a box. */
interface Box {
  readonly start: number;
  readonly end: number;
}

function boxesWith(line: string): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = line.indexOf(`${LABEL}:`); at !== -1; at = line.indexOf(`${LABEL}:`, at + 1)) {
    const start = line.lastIndexOf(SIDE, at) + 1;
    const end = line.indexOf(SIDE, at);
    if (start > 0 && end !== -1) boxes.push({ start, end });
  }
  return boxes;
}

/** The value under a label ends at the first empty line of its box, or where the box ends. */
function hideBelow(lines: string[], first: number, box: Box): void {
  for (let row = first; row < lines.length; row += 1) {
    const line = lines[row] ?? '';
    // A wide character before the box shifts its columns: then nothing of the line is kept.
    const isAligned = line[box.start - 1] === SIDE && line[box.end] === SIDE && !WIDE.test(line);
    if (line.includes('┘')) return;
    const value = isAligned ? line.slice(box.start, box.end) : line;
    if (isAligned && value.trim() === '') return;
    lines[row] = isAligned ? line.slice(0, box.start) + ' '.repeat(value.length) + line.slice(box.end) : '';
  }
}

/** Anything but ASCII and the lines of boxes. */
const WIDE = /[^\x20-\x7e\u2500-\u257f]/;
