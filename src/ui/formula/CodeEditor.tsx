/**
 * The text of a formula in an editor: CodeMirror 6 in a shadow root, because the page's content security policy allows no
 * style elements and a shadow root adopts style sheets. The text is told once a frame, however fast one types.
 */
import { closeBrackets, closeCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { FormulaError } from '../../formula/error';
import { formulaLanguage } from './language';
import { editorTheme } from './theme';

interface Props {
  /** For those who listen. */
  readonly label: string;
  readonly text: string;
  readonly mistake: FormulaError | null;
  readonly onText: (text: string) => void;
  /** Control and Enter. */
  readonly onApply: () => void;
}

export function CodeEditor({ label, text, mistake, onText, onApply }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const told = useRef(text);
  const calls = useRef({ onText, onApply });
  calls.current = { onText, onApply };
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    let frame = 0;
    const tell = () => {
      frame = 0;
      told.current = editor.state.doc.toString();
      calls.current.onText(told.current);
    };
    const listen = EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged && frame === 0) frame = requestAnimationFrame(tell);
    });
    const apply = () => {
      if (frame !== 0) cancelAnimationFrame(frame);
      tell();
      closeCompletion(editor);
      calls.current.onApply();
      return true;
    };
    const editor = new EditorView({
      root: current.shadowRoot ?? current.attachShadow({ mode: 'open' }),
      parent: current.shadowRoot ?? current,
      state: EditorState.create({
        doc: told.current,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          bracketMatching(),
          closeBrackets(),
          formulaLanguage,
          editorTheme,
          EditorView.lineWrapping,
          overLines,
          EditorView.contentAttributes.of({ 'aria-label': label, 'data-testid': 'formula-text' }),
          keymap.of([{ key: 'Mod-Enter', run: apply, preventDefault: true }, ...defaultKeymap, ...historyKeymap]),
          listen,
        ],
      }),
    });
    view.current = editor;
    editor.focus();
    return () => {
      cancelAnimationFrame(frame);
      editor.destroy();
    };
  }, [label]);
  useEffect(() => {
    const { current: editor } = view;
    if (editor === null || text === told.current) return;
    told.current = text;
    // Undone like any other edit.
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const { current: editor } = view;
    if (editor === null) return;
    const { length } = editor.state.doc;
    const at = (place: number): number => Math.min(place, length);
    const marked =
      mistake === null ? [] : [{ from: at(mistake.span.from), to: at(mistake.span.to), ...words(mistake) }];
    editor.dispatch(setDiagnostics(editor.state, marked));
  }, [mistake]);
  return <div ref={place} className="own-loss-text" />;
}

/**
 * Typing over a selection of several lines. Left to the browser, it would keep the look of the first line in a style attribute,
 * which the page's content security policy refuses with a complaint.
 */
const overLines = EditorView.domEventHandlers({
  beforeinput(event, editor) {
    const { doc, selection } = editor.state;
    const { from, to } = selection.main;
    if (event.inputType !== 'insertText' || event.data === null || doc.lineAt(from).to >= to) return false;
    event.preventDefault();
    editor.dispatch(editor.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

const words = ({ what, advice }: FormulaError) => ({ severity: 'error' as const, message: `${what} ${advice}` });
