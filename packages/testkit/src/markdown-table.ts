/** One row: the text of each cell by the heading of its column. */
type MarkdownRow = Readonly<Record<string, string>>;

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** Returns the tables of a Markdown document (GitHub's pipe tables), in order. Code fences are ignored. */
export function parseMarkdownTables(markdown: string): readonly (readonly MarkdownRow[])[] {
  const text = markdown.replaceAll(/^```.*?^```/gms, '');
  const blocks = text.match(/(?:^\|.*\|[ \t]*$\n?){2,}/gm) ?? [];
  return blocks.map((block) => {
    const [heading = '', , ...lines] = block.trim().split('\n');
    const names = cellsOf(heading);
    return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [names[index] ?? '', cell])));
  });
}
