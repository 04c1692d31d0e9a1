/** Scenes of a session (screen and files), at the prompt and after every turn, replayed from a trajectory's actions. */
import type { Emission } from '../environment';
import type { TerminalScene } from '../scene';
import { ANSWER_NODE, LINE_LIMIT, Lines, nodeOf } from './files';
import { directoryName } from './machine';
import { promptOf, type Sessions } from './session';
import { bit } from './shell';
import { CUT, ENTER, FILES, FIRST_PROMPT, LINE, MALFORMED, token, WORDS } from './terminalWords';

type Line = TerminalScene['lines'][number];
type File = TerminalScene['files'][number];

const FIRST_ERROR = token('no-such-file');
const ERRORS = 4;

export function terminalScenes(
  sessions: Sessions,
  task: Int32Array,
  actions: readonly (readonly number[])[],
): TerminalScene[] {
  const said: number[] = [];
  const listener: Emission = { emit: (word) => said.push(word) > 0 };
  sessions.reset(0, task, listener);
  const asked = wordsOf(promptOf(sessions.task(0)).slice(1, -1));
  const places = placesOf(sessions);
  const scene = (lines: readonly Line[], action: string | null): TerminalScene => ({
    kind: 'terminal',
    task: asked,
    lines,
    files: places.flatMap((place) => fileAt(sessions, place)),
    directory: directoryName(sessions.shell.directory[0]),
    isSolved: sessions.isSolved(0),
    action,
  });
  const scenes = [scene([], null)];
  for (const tokens of actions) {
    if (sessions.isDone(0)) break;
    said.length = 0;
    const prompt = `${directoryName(sessions.shell.directory[0])}$`;
    const action = wordsOf(tokens.filter((word) => word !== ENTER));
    sessions.step(0, tokens, listener);
    const lines = scenes.at(-1)?.lines ?? [];
    scenes.push(scene([...lines, { kind: 'command', prompt, text: action }, ...printed(said)], action));
  }
  return scenes;
}

function wordsOf(tokens: readonly number[]): string {
  return tokens.map((word) => WORDS[word] ?? '?').join(' ');
}

/** Lines that were said, without the next prompt. */
function printed(said: readonly number[]): Line[] {
  const isPrompt = (word: number | undefined): boolean => word !== undefined && word >= FIRST_PROMPT && word < LINE;
  const shown = isPrompt(said.at(-1)) ? said.slice(0, -1) : said;
  if (shown.length === 0) return [];
  const lines: number[][] = [[]];
  for (const word of shown) {
    if (word === LINE) lines.push([]);
    else lines.at(-1)?.push(word);
  }
  return lines.map((words) => ({
    kind: kindOf(words[0] ?? 0),
    prompt: null,
    text: wordsOf(words).replace(WORDS[CUT] ?? '', '…'),
  }));
}

function kindOf(first: number): Line['kind'] {
  if (first === MALFORMED) return 'warning';
  return first >= FIRST_ERROR && first < FIRST_ERROR + ERRORS ? 'error' : 'output';
}

interface Place {
  readonly path: string;
  /** Node of a file; −1 for a directory. */
  readonly node: number;
}

/** All possible places of the machine: home, its files, the other directories with theirs, `/answer`. */
function placesOf(sessions: Sessions): Place[] {
  const places: Place[] = [];
  for (let directory = 0; directory < sessions.options.directories; directory++) {
    const path = directory === 0 ? 'home' : `home/${directoryName(directory)}`;
    places.push({ path, node: -1 });
    places.push(...FILES.map((name, file) => ({ path: `${path}/${name}`, node: nodeOf(directory, file) })));
  }
  return [...places, { path: '/answer', node: ANSWER_NODE }];
}

/** The file at a place, with one that was deleted or is awaited; otherwise none. */
function fileAt(sessions: Sessions, { path, node }: Place): File[] {
  const { kind, file, directory } = sessions.task(0);
  if (node === -1) return [{ path, isDirectory: true, isTarget: false, text: '', state: 'there' }];
  const exists = sessions.disk.exists(0, node);
  const isAnswer = node === ANSWER_NODE && kind !== 'delete';
  const wasThere = (sessions.original(0) & bit(node)) !== 0;
  if (!exists && !wasThere && !isAnswer) return [];
  const isAsked = kind === 'delete' ? (sessions.targets(0) & bit(node)) !== 0 : node === nodeOf(directory, file);
  const text = exists ? contentOf(sessions, node) : '';
  return [
    {
      path,
      isDirectory: false,
      isTarget: isAsked || isAnswer,
      text,
      state: exists ? 'there' : wasThere ? 'deleted' : 'awaited',
    },
  ];
}

function contentOf(sessions: Sessions, node: number): string {
  const lines = new Lines(LINE_LIMIT);
  sessions.disk.read(0, node, lines);
  return Array.from({ length: lines.count }, (_, line) =>
    wordsOf(Array.from({ length: lines.lengths[line] }, (_word, at) => lines.word(line, at))),
  ).join('\n');
}
