/**
 * An independent model of the terminal's shell on strings: the output of a line, given the files by path. It is written
 * from the description of the commands, and the shell on typed arrays is compared with it.
 */
const COMMANDS = ['ls', 'cd', 'cat', 'grep', 'wc', 'echo', 'rm', 'exit'];
const NAMES = ['notes', 'todo', 'plan', 'list', 'mail', 'data', 'draft', 'index'];

export class StringShell {
  readonly files: Map<string, string[]>;
  readonly directories: readonly string[];
  directory = 'home';

  /** Keys are paths such as `home/notes` and `docs/todo`; `/answer` is the same from every folder. */
  constructor(files: Map<string, string[]>, directories: readonly string[]) {
    this.files = files;
    this.directories = directories;
  }

  /** Lines that a command prints, `ls` as one line; null for a malformed line, undefined after `exit`. */
  run(text: string): string[] | null | undefined {
    let line = text;
    let into: string | null = null;
    const redirect = / ?> (\S+)$/.exec(line);
    if (redirect !== null) {
      into = redirect[1] as string;
      if (into !== '/answer' && !NAMES.includes(into)) return null;
      line = line.slice(0, redirect.index);
      if (line === '') return null;
    }
    if (line === '') return [];
    if (line.split(' ').includes('>')) return null;
    const parts = ` ${line} `.split(' | ').map((part) => part.trim().split(' ').filter(Boolean));
    if (parts.length > 2 || parts.some((part) => !COMMANDS.includes(part[0] ?? ''))) return null;
    if (line.split(' ').filter((word) => word === '|').length !== parts.length - 1) return null;
    const joined = parts.length > 1 || into !== null;
    for (const [index, [command = '', ...words]] of parts.entries()) {
      const least = { grep: 2, cat: 1, wc: 1, rm: 1 }[command] ?? 0;
      const has = words.length + (index > 0 && command !== 'rm' ? 1 : 0);
      const most = { ls: 1, cd: 1, exit: 0 }[command] ?? 99;
      if (words.length > most || has < least) return null;
      if (joined && ['cd', 'rm', 'exit'].includes(command)) return null;
    }
    if (parts[0]?.[0] === 'exit') return undefined;
    let input: string[] = [];
    const errors: string[] = [];
    for (const [index, [command = '', ...words]] of parts.entries()) {
      input = this.#command(command, words, index > 0 ? input : null, errors);
    }
    const listed = parts.at(-1)?.[0] === 'ls' && input.length > 0 ? [input.join(' ')] : input;
    if (into === null) return [...listed, ...errors];
    this.files.set(this.#path(into), input.slice(0, 8));
    return errors;
  }

  #path(name: string): string {
    return name === '/answer' ? name : `${this.directory}/${name}`;
  }

  #names(directory = this.directory): string[] {
    return NAMES.filter((name) => this.files.has(`${directory}/${name}`));
  }

  #isDirectory(word: string): boolean {
    return word === '..' || (this.directory === 'home' && word !== 'home' && this.directories.includes(word));
  }

  #expand(words: string[]): string[] {
    const names = this.#names();
    return words.flatMap((word) => (word === '*' && names.length > 0 ? names : [word]));
  }

  #command(command: string, words: string[], input: string[] | null, errors: string[]): string[] {
    if (command === 'echo') return [this.#expand(words).slice(0, 8).join(' ')];
    if (command === 'cd') {
      const [to = '..'] = words;
      if (this.#isDirectory(to)) this.directory = to === '..' ? 'home' : to;
      else errors.push(`${this.files.has(this.#path(to)) ? 'not-a-directory' : 'no-such-directory'} ${to}`);
      return [];
    }
    if (command === 'ls') return this.#list(words[0], errors);
    const [pattern, given] = command === 'grep' ? [words[0] as string, words.slice(1)] : [null, words];
    const names = this.#expand(given);
    const found = names.filter((name) => this.files.has(this.#path(name)));
    for (const name of names) {
      if (!found.includes(name)) errors.push(`${this.#isDirectory(name) ? 'is-a-directory' : 'no-such-file'} ${name}`);
    }
    if (command === 'rm') {
      for (const name of found) this.files.delete(this.#path(name));
      return [];
    }
    const sources =
      names.length === 0
        ? [['', input ?? []] as const]
        : found.map((name) => [name, this.files.get(this.#path(name)) ?? []] as const);
    const isMany = names.length > 1;
    return sources.flatMap(([name, lines]) => {
      if (command === 'wc') return [`${lines.length > 9 ? 'many' : lines.length}${isMany ? ` ${name}` : ''}`];
      const kept = pattern === null ? lines : lines.filter((line) => line.split(' ').includes(pattern));
      return pattern !== null && isMany ? kept.map((line) => `${name} ${line}`.split(' ').slice(0, 8).join(' ')) : kept;
    });
  }

  #list(word: string | undefined, errors: string[]): string[] {
    if (word === '*') return this.#names();
    const at = word === undefined ? this.directory : word === '..' ? 'home' : word;
    if (word === undefined || this.#isDirectory(word)) {
      return [...(at === 'home' ? this.directories.filter((name) => name !== 'home') : []), ...this.#names(at)];
    }
    if (this.files.has(this.#path(word))) return [word];
    errors.push(`no-such-file ${word}`);
    return [];
  }
}
