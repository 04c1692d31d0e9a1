/** Commands that the documentation tells people to type, and how a test runs each of them in little time. */
import { readdirSync, readFileSync } from 'node:fs';

interface Document {
  readonly file: string;
  readonly commands: readonly string[];
}

const DOCS = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const FILES = ['README.md', 'CONTRIBUTING.md', 'findings/README.md', ...DOCS.sort().map((name) => `docs/${name}`)];

const seen = new Set<string>();

/** True for what an earlier document has too; commands of the lab go on from what is there, and are of their document. */
function isSeen(command: string): boolean {
  const isHere = seen.has(command) && !command.includes(' lab -- ');
  seen.add(command);
  return isHere;
}

/** Every line of a document's shell blocks, and its inline commands of npm, npx, node and git; each once, without comments. */
export const documents: readonly Document[] = FILES.map((file) => {
  const text = readFileSync(file, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'));
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const inline = [...prose.matchAll(/`((?:npm|npx|node|git)\s[^`]+)`/g)].map(([, command = '']) => command);
  const lines = [...blocks, ...inline].map((line) =>
    line
      .replace(/\s#\s.*$/, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  const commands = [...new Set(lines.flatMap((line) => line.split(' && ')))];
  return { file, commands: commands.filter((command) => !isSeen(command)) };
});

/** What a test does with a command. */
export type Way =
  | { readonly run: string }
  /** It is a server, which has to answer, and is ended after the document. */
  | { readonly serve: string }
  /** It is not run, for this reason. */
  | { readonly why: string };

const run =
  (change: (command: string) => string): ((command: string) => Way) =>
  (command) => ({ run: change(command) });
const serve =
  (change: (command: string) => string): ((command: string) => Way) =>
  (command) => ({
    serve: change(command),
  });
const because = (why: string) => (): Way => ({ why });
const asItIs = (command: string): string => command;

/** One update of one seed, and what the placeholders of the documents stand for. */
const shortly = (command: string): string => `${command.replace('PRESET', 'gridworld-tiny')} --updates 1 --seeds 0`;

/** All shares of a run instead of the first, so that they can be merged. */
const everyShare = (command: string): string => {
  const [, count = '1'] = /--shard 1\/(\d+)/.exec(command) ?? [];
  const share = shortly(command).replace('--shard 1/', '--shard $i/').replace('R/1', 'R/$i');
  return `for i in $(seq ${count}); do ${share}-1 || exit; done`;
};

/** From the policy of a run of the same experiment. */
const fromFile = (command: string): string =>
  [
    shortly('npm run -s lab -- run gridworld-small --out small'),
    'npm run -s lab -- export small --member world-model/0 --out FILE.onnx',
    shortly(command).replace('HASH', '$(sha256sum FILE.onnx | cut -c1-64)'),
  ].join(' && ');

const RULES: readonly (readonly [RegExp, (command: string) => Way])[] = [
  [/^npm install$/, because('it brought the packages that this test runs with')],
  [/^npm test$/, because('it runs this test')],
  [/^npm run check$/, because('npm test runs it first')],
  [/^npm run lines$/, run(asItIs)],
  [
    /^npm test -- /,
    run((command) => `npx vitest list --filesOnly ${command.slice('npm test -- '.length)} | grep test`),
  ],
  [/^npx vitest run .* -u$/, run(asItIs)],
  [/^npm run fix$/, because('npm run check does the same and writes nothing')],
  [/^npm run (notices|build|build:wasm)$/, run(asItIs)],
  [/^npm start$/, serve(asItIs)],
  [/^npm run (dev|preview)$/, serve(asItIs)],
  [/^npm run test:(long|nightly)$/, because('it runs tests, some half an hour')],
  [/^npm run test:cluster$/, because('it unpacks Slurm of Debian’s packages and takes minutes')],
  [/^npm run findings/, because('trains for hours; test/cli/findings.test.ts computes all reports again')],
  [/^npm run numerics/, because('writes the digests that test/numerics computes again')],
  [/^npm run record/, because('trains for minutes; test/store/recorded.test.ts trains the beginning again')],
  [/^npm run policies/, because('trains for hours; test/cli/policies.test.ts does the same for a small policy')],
  [/^npm run machines /, run(asItIs)],
  [/^npm run (perf|verdict|worlds|pictures)/, because('measures or draws for many minutes')],
  [/^node scripts\/run\.mjs bench\//, because('measures for many minutes, some of it beside other projects')],
  [/^npm run fuzz:worlds$/, because('holds every call to a clock, on a machine that does nothing else')],
  [/^npm run faults -- --soak/, because('takes hours')],
  [/^npm run faults$/, run((command) => `${command} -- --only output-unread --times 1`)],
  [
    /^npm run faults -- --only/,
    run((command) => command.replace('NAME', 'output-unread').replace('times N', 'times 1')),
  ],
  [
    /^git worktree|^\(cd \.\.\/release|^npm ci\)$|test\/releases\/make|^npm run archive|^git archive|^npm pack/,
    because('needs the history of the repository'),
  ],
  [/^git -C dist push|^rsync/, because('publishes to a machine that is not here')],
  [/^(touch|rm -rf) dist|^git -C dist/, run(asItIs)],
  [/^(HOSTS=\S+ )?bash job\.sh$/, run(() => 'bash -n job.sh')],
  [/lab -- serve/, serve((command) => command.replace(/ --port \d+|$/, ' --port 8764'))],
  [/lab -- run .*openenv:/, run((command) => shortly(command).replace(':8000', ':8764'))],
  [/lab -- run .*--shard/, run(everyShare)],
  [/lab -- run .*--resume/, run(asItIs)],
  [/lab -- run .*HASH/, run(fromFile)],
  [/lab -- run/, run(shortly)],
  [/lab -- eval/, run((command) => `${command} --episodes 4`)],
  [/lab -- world/, run((command) => `${command} --episodes 20`)],
  [/lab -- submit/, run((command) => command.replace('/shared/R', 'shared/R'))],
  [/lab -- check FILE/, run((command) => command.replace('FILE.json …', 'test/fixtures/echo.json'))],
  [/^npm run -s lab -- /, run(asItIs)],
];

/** null for a command that no rule knows. */
export function wayOf(command: string): Way | null {
  return RULES.find(([pattern]) => pattern.test(command))?.[1](command) ?? null;
}

/** Rules that no command needs. */
export function idleRules(commands: readonly string[]): string[] {
  const first = commands.map((command) => RULES.find(([pattern]) => pattern.test(command)));
  return RULES.filter((rule) => !first.includes(rule)).map(([pattern]) => String(pattern));
}
