/** Targets of the documents' links exist: files, folders and headings. The index of decisions lists each of them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const markdown = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name));

const DOCUMENTS = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['docs', 'src', 'shaders', 'test'].flatMap(markdown),
];

const withoutBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');
const withoutCode = (text: string): string => withoutBlocks(text).replace(/`[^`\n]*`/g, '');

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');

const headingsOf = (path: string): string[] =>
  [...withoutBlocks(readFileSync(path, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    anchorOf(heading as string),
  );

test.each(DOCUMENTS)('%s links to what is there', (path) => {
  const links = [...withoutCode(readFileSync(path, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, link]) => link as string,
  );
  const broken = links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(target)) return true;
      return anchor !== undefined && statSync(target).isFile() && !headingsOf(target).includes(anchor);
    });
  expect(broken).toEqual([]);
});

test.each(markdown('docs'))('%s says first for whom it is', (path) => {
  expect(readFileSync(path, 'utf8')).toMatch(/^# .*\n\nFor (people|programs|authors|readers) /);
});

/** Files and folders that the guides name in code: relative to the guide's folder, to src or to the project. */
test.each(['docs/glossary.md', ...markdown('src'), ...markdown('shaders')])('%s names files that are there', (path) => {
  const named = [...readFileSync(path, 'utf8').matchAll(/`([\w./-]+(?:\.(?:tsx?|wgsl|md|mjs|json)|\/))`/g)].map(
    ([, name]) => name as string,
  );
  const missing = named.filter((name) => ![dirname(path), 'src', '.'].some((base) => existsSync(join(base, name))));
  expect(missing).toEqual([]);
});

/** Of docs/decisions.md, which `npx vitest run test/docs/links.test.ts -u` writes. */
const INDEX_HEAD = `# Decisions

For people who want to change something here and wonder why it is so.

One dated section for each choice a newcomer would question: what, why, what was tried, numbers. Written by
\`npx vitest run test/docs/links.test.ts -u\` from the files in \`decisions/\`.
`;

describe('Decisions', () => {
  test('the index lists all of them', async () => {
    const parts = markdown('docs/decisions').map((path) => {
      const [title, ...decisions] = [...readFileSync(path, 'utf8').matchAll(/^##? (.*)$/gm)].map(
        ([, text]) => text as string,
      );
      const file = path.slice('docs/'.length);
      const entries = decisions.map((decision) => `- [${decision}](${file}#${anchorOf(decision)})`);
      return `## [${title}](${file})\n\n${entries.join('\n')}\n`;
    });
    await expect([INDEX_HEAD, ...parts].join('\n')).toMatchFileSnapshot('../../docs/decisions.md');
  });

  test.each(markdown('docs/decisions'))('each of %s has its date', (path) => {
    const bodies = readFileSync(path, 'utf8')
      .split(/^## .*\n\n/m)
      .slice(1);
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) expect(body).toMatch(/^20\d\d-\d\d-\d\d\. /);
  });
});
