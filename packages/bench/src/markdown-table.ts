/** Formats a table of Markdown with columns of equal width, as the formatter of the documents does. */
export function markdownTable(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = header.map((name, column) =>
    Math.max(3, name.length, ...lines.map((line) => (line[column] ?? '').length)),
  );
  const row = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [row(header), row(widths.map((width) => '-'.repeat(width))), ...lines.map(row)].join('\n');
}
