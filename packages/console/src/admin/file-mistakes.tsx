import { useEffect, useState } from 'react';
import { mistakesIn } from '../api/describe-error.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { linesOfPaths } from './lines-of-paths.ts';

const NO_LINES: ReadonlyMap<string, number> = new Map();

interface FileMistakesProps {
  readonly error: unknown;
  /** The text that was sent. */
  readonly text: string;
}

/** Every mistake that the host has found in a file, with its line and place. */
export function FileMistakes({ error, text }: FileMistakesProps) {
  const { t, formatNumber } = useTranslation();
  const [lines, setLines] = useState(NO_LINES);
  useEffect(() => {
    let isCurrent = true;
    setLines(NO_LINES);
    const paths = mistakesIn(error).map(({ path }) => path);
    if (paths.length > 0)
      void linesOfPaths(text, paths)
        // If the lines cannot be found, the places alone are shown.
        .catch(() => NO_LINES)
        .then((found) => isCurrent && setLines(found));
    return () => {
      isCurrent = false;
    };
  }, [error, text]);
  const mistakes = mistakesIn(error);
  if (mistakes.length === 0) return null;
  const lineOf = (path: string): string => {
    const line = lines.get(path);
    return line === undefined ? '' : `${t('admin.apply.line', { line: formatNumber(line) })} `;
  };
  return (
    <ul>
      {mistakes.map(({ path, message }) => (
        <li key={`${path}\n${message}`}>
          {lineOf(path)}
          <code>
            <VisibleText text={path} />
          </code>{' '}
          <VisibleText text={message} />
        </li>
      ))}
    </ul>
  );
}
