/** Lines of a text that a picture has room for. */

/** Broken between words, of so many characters at most. */
export function linesOf(text: string, longest: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && line.length <= longest) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return text === '' ? [] : lines;
}
