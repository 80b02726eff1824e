import type { Interface, Key } from 'node:readline';

/** Handles a key, as the line editor of Node.js calls it. */
type HandleKey = (text: string | undefined, key: Key) => void;

/** Members of the line editor that its REPL uses too. They have no types. */
interface EditorInternals {
  _ttyWrite: HandleKey;
  _refreshLine: () => void;
  line: string;
  cursor: number;
  readonly history: readonly string[];
}

interface Search {
  readonly query: string;
  /** Index of the match in the history; -1 before the first one. */
  readonly at: number;
  readonly isFound: boolean;
  /** The line before the search. */
  readonly before: string;
  readonly prompt: string;
}

/** Keys besides letters that belong to the search. Any other one ends it and then does what it always does. */
const isLetter = (text: string | undefined, { ctrl, meta }: Key): text is string =>
  text !== undefined && text >= ' ' && text !== '\u007f' && ctrl !== true && meta !== true;

/**
 * Adds the search of shells to a line editor: Ctrl-R finds the newest entry of the history with the letters that follow, Ctrl-R again an
 * older one. Enter runs it, Ctrl-G restores the line, and any other key goes on editing what was found.
 */
export function addReverseSearch(editor: Interface): void {
  const internals = editor as unknown as EditorInternals;
  const handleKey = internals._ttyWrite.bind(editor);
  let search: Search | undefined;

  const show = (prompt: string, line: string, cursor: number): void => {
    editor.setPrompt(prompt);
    internals.line = line;
    internals.cursor = cursor;
    internals._refreshLine();
  };
  const end = (line: string): void => {
    if (search === undefined) return;
    const { prompt } = search;
    search = undefined;
    show(prompt, line, line.length);
  };
  const find = (query: string, from: number): void => {
    if (search === undefined) return;
    const at =
      query === '' ? -1 : internals.history.findIndex((entry, index) => index >= from && entry.includes(query));
    search = { ...search, query, at: at < 0 && query !== '' ? search.at : at, isFound: at >= 0 || query === '' };
    const match = internals.history[search.at] ?? search.before;
    const cursor = match.indexOf(query);
    show(`(${search.isFound ? '' : 'failed '}search)'${query}': `, match, cursor < 0 ? match.length : cursor);
  };
  internals._ttyWrite = (text, key = {}) => {
    const isSearchKey = key.ctrl === true && key.name === 'r';
    if (search === undefined) {
      if (!isSearchKey) return handleKey(text, key);
      search = { query: '', at: -1, isFound: true, before: internals.line, prompt: editor.getPrompt() };
      return find('', 0);
    }
    if (isSearchKey) return find(search.query, search.at + 1);
    if (isLetter(text, key)) return find(search.query + text, Math.max(search.at, 0));
    if (key.name === 'backspace') return find([...search.query].slice(0, -1).join(''), 0);
    const isCancelled = key.ctrl === true && (key.name === 'g' || key.name === 'c');
    end(isCancelled ? search.before : internals.line);
    if (key.ctrl !== true || key.name !== 'g') handleKey(text, key);
  };
}
