/** `npm run machines -- FILE…`: docs/machines.md of the files that came; all that it tells must be given. */
import { readFileSync, writeFileSync } from 'node:fs';
import { machineOf, machinesDocument } from './machinesDocument';

const PATH = 'docs/machines.md';
const names = process.argv.slice(2);
if (names.length === 0) throw new Error('Say which files: npm run machines -- docs/machines/*.json');
writeFileSync(PATH, machinesDocument(names.map((name) => machineOf(name, readFileSync(name, 'utf8')))));
process.stdout.write(`${PATH}: ${names.length} machines.\n`);
