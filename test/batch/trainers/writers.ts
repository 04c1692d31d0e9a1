/** The programs of docs/batch.md that write a batch from a running job, as text. */
import { readFileSync } from 'node:fs';

export function writerFrom(name: string): string {
  const part = new RegExp(`^## From ${name}$[\\s\\S]*?^\`\`\`python\n([\\s\\S]*?)^\`\`\``, 'm');
  return part.exec(readFileSync('docs/batch.md', 'utf8'))?.[1] ?? '';
}
