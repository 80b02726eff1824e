import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours of the theme of the page. They are variables, so a change of the theme needs no new editor. */
const theme = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-code-name)',
    fontSize: 'var(--text-m)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: 'var(--line-body)' },
  '.cm-content': { padding: 'var(--space-4) 0', caretColor: 'var(--color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--color-text)' },
  '.cm-gutters': { backgroundColor: 'var(--color-surface)', color: 'var(--color-text-subtle)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': { backgroundColor: 'var(--color-surface-sunken)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 var(--space-4) 0 var(--space-5)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--color-surface-selected)',
  },
  '.cm-activeLine .cm-selectionMatch, .cm-selectionMatch, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--color-surface-pressed)',
  },
  '.cm-error-mark': {
    backgroundColor: 'var(--color-danger-surface)',
    textDecoration: 'underline wavy var(--color-danger)',
    textUnderlineOffset: '0.2em',
  },
  '.cm-specialChar': { color: 'var(--color-danger-text)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--color-surface-raised)',
    color: 'var(--color-text)',
    border: 'var(--hairline) solid var(--color-border)',
    borderRadius: 'var(--radius-m)',
    boxShadow: 'var(--shadow-overlay)',
    zIndex: 'var(--layer-overlay)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-code)',
    maxHeight: 'none',
    padding: 'var(--space-2)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: 'var(--space-5)',
    padding: 'var(--space-1) var(--space-4)',
    borderRadius: 'var(--radius-s)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--color-surface-selected)',
    color: 'var(--color-text-on-selected)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 'var(--weight-strong)' },
  '.cm-completionDetail': {
    marginLeft: 'auto',
    color: 'var(--color-text-muted)',
    fontStyle: 'normal',
    fontSize: 'var(--text-s)',
  },
  '.cm-tooltip.cm-completionInfo': {
    boxSizing: 'border-box',
    maxWidth: '20rem',
    maxHeight: '20rem',
    padding: 'var(--space-4)',
    overflow: 'auto',
    fontFamily: 'var(--font-body)',
  },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--color-code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--color-code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--color-code-number)' },
  { tag: tags.comment, color: 'var(--color-code-comment)', fontStyle: 'italic' },
  { tag: [tags.operator, tags.punctuation], color: 'var(--color-code-operator)' },
  { tag: tags.special(tags.name), color: 'var(--color-accent-text)' },
]);

export const sqlTheme = [theme, syntaxHighlighting(colours)];
