// Vite plugin: before each `import()` of the page, all files it needs are requested by themselves (src/offline/arrive.ts).

const DYNAMIC = /\bimport\(([`"'])\.\/([\w.-]+\.js)\1\)/g;

/** @returns {import('vite').Plugin} */
export function arrival() {
  return {
    name: 'arrival',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
        const inFolder = (name) => chunks.find(({ fileName }) => fileName.endsWith(`/${name}`));
        const needed = (chunk, found = new Set()) => {
          if (chunk === undefined || found.has(chunk)) return found;
          found.add(chunk);
          for (const fileName of chunk.imports) needed(bundle[fileName], found);
          return found;
        };
        const there = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => [...needed(chunk)]));
        for (const chunk of chunks) {
          chunk.code = chunk.code.replace(DYNAMIC, (call, _quote, name) => {
            const files = [...needed(inFolder(name))].filter((one) => !there.has(one)).map(({ fileName }) => fileName);
            const names = files.map((fileName) => `./${fileName.slice(fileName.lastIndexOf('/') + 1)}`);
            return `unmaskArrive(${JSON.stringify(names)},import.meta.url).then(()=>${call})`;
          });
        }
      },
    },
  };
}
