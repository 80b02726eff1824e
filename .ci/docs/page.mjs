// A page of the documentation: its blocks, and which of them are commands, outputs and data.
import { readFileSync, writeFileSync } from 'node:fs';

const BLOCK = /(?:<!-- (?:not run: ([^\n]*)|exits with (\d+)) -->\n\n?)?^```([a-z]+)\n([\s\S]*?)^```$/gm;
const COMMANDS = new Set(['sh', 'python', 'js']);

/**
 * Reads the blocks of a page in order. `role` is `command`, `output` (a text or json block right after a command), `data` (other json
 * and yaml blocks), `not run` or `shown`. A command has the exit `status` that it must have, and its `expected` output, if one follows.
 */
export function readPage(page) {
  const source = readFileSync(page, 'utf8');
  const blocks = [...source.matchAll(BLOCK)].map((match) => {
    const [all, notRun, status = '0', kind, text] = match;
    const where = `${page}:${source.slice(0, match.index).split('\n').length}`;
    return { where, notRun, status: Number(status), kind, text, start: match.index, end: match.index + all.length };
  });
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    const follows = before?.role === 'command' && source.slice(before.end, block.start).trim() === '';
    block.role = roleOf(block, follows);
    if (block.role === 'output') before.expected = block;
  }
  return { source, blocks };
}

function roleOf({ kind, notRun }, followsCommand) {
  if (notRun !== undefined) return 'not run';
  if (COMMANDS.has(kind)) return 'command';
  if (followsCommand && (kind === 'text' || kind === 'json')) return 'output';
  return kind === 'json' || kind === 'yaml' ? 'data' : 'shown';
}

/** Writes new outputs into a page. `outputs` has the blocks with their new text, in order. */
export function writeOutputs(page, source, outputs) {
  const replaced = outputs.reduceRight(
    (text, { start, end, kind, text: output }) =>
      `${text.slice(0, start)}\`\`\`${kind}\n${output}\`\`\`${text.slice(end)}`,
    source,
  );
  writeFileSync(page, replaced);
}
