/**
 * A text that is written in the page, a formula or a world: CodeMirror 6 in a shadow root, because the page's content security
 * policy allows no style elements and a shadow root adopts style sheets. The text is told once a frame, however fast one types.
 */
import { closeBrackets, closeCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { editorTheme } from './theme';
import './code.css';

/** Brackets closed while one types: no brace, whose block may be there already. */
const CLOSED = Prec.highest(
  EditorState.languageData.of(() => [{ closeBrackets: { brackets: ['(', '[', "'", '"', '`'] } }]),
);

/** A mistake in the text: its characters, and its message. */
export interface CodeMark {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

interface Props {
  /** Name for screen readers. */
  readonly label: string;
  readonly testId: string;
  readonly className?: string;
  /** Colouring, completion and explanation of the text; always the same. */
  readonly language: Extension;
  readonly text: string;
  readonly marks: readonly CodeMark[];
  /** The focus goes there when it is drawn. */
  readonly takesFocus?: boolean;
  readonly onText: (text: string) => void;
  /** Called on Control and Enter. */
  readonly onApply: () => void;
}

export function CodeEditor(props: Props) {
  const { label, testId, className = '', language, text, marks, takesFocus = false, onText, onApply } = props;
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
          CLOSED,
          closeBrackets(),
          language,
          editorTheme,
          EditorView.lineWrapping,
          overLines,
          EditorView.contentAttributes.of({ 'aria-label': label, 'data-testid': testId, tabindex: '0' }),
          keymap.of([{ key: 'Mod-Enter', run: apply, preventDefault: true }, ...defaultKeymap, ...historyKeymap]),
          listen,
        ],
      }),
    });
    view.current = editor;
    if (takesFocus) editor.focus();
    return () => {
      cancelAnimationFrame(frame);
      editor.destroy();
    };
  }, [label, testId, language, takesFocus]);
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
    const shown = marks.map(({ from, to, message }) => ({
      from: at(from),
      to: at(to),
      message,
      severity: 'error' as const,
    }));
    editor.dispatch(setDiagnostics(editor.state, shown));
  }, [marks]);
  return <div ref={place} className={`code-text takes-keys ${className} frame`} />;
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
