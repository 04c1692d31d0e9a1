/** Sources of a method as links: arXiv numbers, repositories and pages; words stay words. */
interface Source {
  readonly words: string;
  readonly href: string | null;
}

export const sourcesOf = (source: string): readonly Source[] =>
  source.split(', ').map((words) => ({ words, href: addressOf(words) }));

function addressOf(words: string): string | null {
  const [, paper] = /^arXiv (\d{4}\.\d{4,5})$/.exec(words) ?? [];
  if (paper !== undefined) return `https://arxiv.org/abs/${paper}`;
  return /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(words) ? `https://${words}` : null;
}
