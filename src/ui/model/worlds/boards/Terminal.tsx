/**
 * The terminal: the task, the screen with its newest lines, and the disk. Commands follow the prompt in bold; errors of
 * the shell and warnings are named as such and have a bar of their own. On the disk, a frame marks what the task asks
 * for, and a line through a name what has been deleted.
 */
import type { CSSProperties } from 'react';
import type { TerminalScene } from '../../../../environments/scene';
import type { DrawnScene } from './Board';
import './shop.css';
import './terminal.css';

export function TerminalView({ now: scene, colour, label }: DrawnScene<TerminalScene>) {
  const { task, lines, isSolved } = scene;
  const style = { '--click': colour } as CSSProperties;
  return (
    <div
      className="scene-page terminal column close small shrinks"
      role="img"
      aria-label={`${label}. ${spoken(scene)}`}
      style={style}
    >
      <p className="scene-task bold clips firm">{task}</p>
      <div className="scene-sheet terminal-screen edged clips short grow raised">
        <ol className="terminal-lines clips">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen
            <TerminalLine key={index} line={line} />
          ))}
          <li className="bold">
            <span className="plain soft">{scene.directory}$</span>
            <span className="terminal-cursor" />
          </li>
        </ol>
      </div>
      <Disk scene={scene} />
      <p className="soft firm">{isSolved ? 'the disk is as asked' : 'the disk is not yet as asked'}</p>
    </div>
  );
}

function TerminalLine({ line: { kind, prompt, text } }: { line: TerminalScene['lines'][number] }) {
  if (kind === 'command') {
    return (
      <li className="bold">
        <span className="plain soft">{prompt}</span> {text === '' ? <span className="soft">(nothing)</span> : text}
      </li>
    );
  }
  return (
    <li className={`terminal-${kind}`}>
      {kind !== 'output' && <span className="terminal-kind bold">{kind}</span>} {text}
    </li>
  );
}

interface Directory {
  readonly path: string;
  readonly name: string;
  readonly files: TerminalScene['files'];
}

/** One row a directory, with its files behind it. */
function Disk({ scene: { files, directory } }: { scene: TerminalScene }) {
  return (
    <ul className="terminal-disk row firm">
      {directoriesOf(files).map(({ path, name, files: inIt }) => (
        <li key={path} className="row">
          <span className="terminal-directory soft" data-here={name === directory}>
            {name}
          </span>
          {inIt.map(({ path: file, isTarget, state, text }) => (
            <span
              key={file}
              className="terminal-file"
              data-target={isTarget}
              data-state={state}
              title={text || undefined}
            >
              {file === '/answer' ? answerText(state, text) : lastOf(file)}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

function answerText(state: string, text: string): string {
  if (state === 'awaited') return 'not written';
  return text === '' ? 'empty' : text.replaceAll('\n', ' / ');
}

/** `/answer` counts as a directory with itself in it. */
function directoriesOf(files: TerminalScene['files']): Directory[] {
  const parent = (path: string): string => path.slice(0, path.lastIndexOf('/'));
  const rows = files
    .filter(({ isDirectory }) => isDirectory)
    .map(({ path }) => ({
      path,
      name: lastOf(path),
      files: files.filter((file) => !file.isDirectory && parent(file.path) === path),
    }));
  const answer = files.filter(({ path }) => path === '/answer');
  return answer.length === 0 ? rows : [...rows, { path: '/answer', name: '/answer', files: answer }];
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function spoken({ task, lines, files, directory, isSolved }: TerminalScene): string {
  const screen = lines.map(({ kind, prompt, text }) => {
    if (kind === 'command') return `${prompt} ${text || 'nothing'}`;
    return kind === 'output' ? text : `${kind} ${text}`;
  });
  const deleted = files.filter(({ state }) => state === 'deleted').map(({ path }) => path);
  const gone = deleted.length === 0 ? '' : ` Deleted: ${deleted.join(', ')}.`;
  const solved = isSolved ? 'The disk is as asked.' : 'The disk is not yet as asked.';
  return `Task: ${task}. ${screen.join('. ')}${screen.length > 0 ? '. ' : ''}In ${directory}.${gone} ${solved}`;
}
