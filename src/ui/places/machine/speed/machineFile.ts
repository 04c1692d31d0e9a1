/** File of a measured machine: a few kB, of the machine and its browser alone. `npm run machines` makes a document of such files. */
import { codeHere } from '../../../../experiment/provenance';
import type { BenchmarkReport, MachineReport } from '../../../../train/bench/report';

/** “Chrome 141 on Linux”: no more of the browser's words about itself. */
export function browserIn(userAgent: string): string {
  const [, name, version] =
    /(Firefox|Edg|OPR|Chrome)\/(\d+)/.exec(userAgent.replace(/Chrome(?=.*\b(?:Edg|OPR)\/)/, '')) ?? [];
  const safari = /Version\/(\d+).*Safari/.exec(userAgent)?.[1];
  const browser = name
    ? `${name === 'Edg' ? 'Edge' : name} ${version}`
    : safari
      ? `Safari ${safari}`
      : 'another browser';
  const system = /Windows|Android|iPhone|iPad|CrOS|Mac OS|Linux/.exec(userAgent)?.[0] ?? 'another system';
  return `${browser} on ${system}`;
}

/** Numbers to four digits: more say nothing, and are most of a file. */
const short = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;

export function machineJson(
  report: BenchmarkReport & MachineReport,
  { userAgent, hardwareConcurrency }: Pick<Navigator, 'userAgent' | 'hardwareConcurrency'>,
  day = new Date().toISOString().slice(0, 10),
): { readonly name: string; readonly text: string } {
  const { version, commit } = codeHere('webgpu');
  const browser = browserIn(userAgent);
  const about = { format: 1, day, version, commit, browser, cores: hardwareConcurrency };
  const name = `unmask-${report.adapter}-${browser}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return { name: `${name.slice(0, 80)}.json`, text: `${JSON.stringify({ ...about, ...report }, short, 2)}\n` };
}
