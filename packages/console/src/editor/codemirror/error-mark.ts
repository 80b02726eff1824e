import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { TextRange } from '@sluice/contract/sql';

/** Marks the position of an error; undefined: removes the mark. */
export const setErrorMark = StateEffect.define<TextRange | undefined>();

const mark = Decoration.mark({ class: 'cm-error-mark', attributes: { 'data-error': 'true' } });

/** The position of the last error. It moves with the text, and goes when the marked text is changed. */
export const errorMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    transaction.changes.iterChangedRanges((from, to) => {
      next = next.update({ filter: (start, end) => end < from || start > to });
    });
    for (const effect of transaction.effects) if (effect.is(setErrorMark)) next = createMarks(effect.value);
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const createMarks = (range: TextRange | undefined): DecorationSet =>
  range === undefined || range.from >= range.to ? Decoration.none : Decoration.set([mark.range(range.from, range.to)]);
