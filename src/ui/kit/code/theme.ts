/** Look of the text editor, in the page's own colours: they change with its theme. */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

const panel = {
  background: 'var(--raised)',
  color: 'var(--ink)',
  border: '1px solid var(--control)',
  borderRadius: 'var(--radius)',
  font: 'var(--regular) var(--size-small) / 20px var(--family)',
};

export const editorTheme: Extension = EditorView.theme({
  '&': { height: '100%', background: 'var(--raised)', color: 'var(--ink)', fontSize: 'var(--size-small)' },
  // The frame around it shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--raised)', color: 'var(--soft-ink)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'transparent' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    background: 'transparent',
    outline: '1px solid var(--control)',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': {
    background: 'transparent',
    outline: '1px solid var(--alarm)',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--alarm)' },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--alarm)' },
  '.cm-lint-marker-error': { content: '"!"', color: 'var(--alarm)', fontWeight: 'var(--bold)', textAlign: 'center' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-tooltip': panel,
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '160px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--ink)', color: 'var(--paper)' },
  '.cm-completionInfo, .cm-explained, .cm-diagnostic': { padding: '4px 8px', maxWidth: '320px', whiteSpace: 'normal' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--alarm)' },
});
