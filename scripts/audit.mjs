// Known vulnerabilities of the packages that the built page contains, as the package registry knows them: a part of
// `npm run check`. Each is named, and the exit code is 1. Where no registry answers there is no audit, and the output says so:
// a check must be possible without a connection.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** What the output of `npm audit --json` says: findings as lines of text, or why there are none to be had. */
export function readAudit(output) {
  let report;
  try {
    report = JSON.parse(output);
  } catch {
    return { findings: [], silent: 'npm gave no report' };
  }
  if (report.vulnerabilities === undefined) {
    return { findings: [], silent: report.message?.split(' - ')[0] ?? report.error?.summary ?? 'npm gave no report' };
  }
  const findings = Object.values(report.vulnerabilities).map(({ name, severity, range, via }) => {
    const why = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title} (${one.url})`));
    return `${name} ${range}: ${severity}. ${why.join('; ')}`;
  });
  return { findings, silent: null };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const command = 'npm audit --omit=dev --json --fetch-retries=0 --fetch-timeout=20000';
  const { stdout } = spawnSync(command, { encoding: 'utf8', shell: true });
  const { findings, silent } = readAudit(stdout);
  if (silent !== null) console.log(`Dependencies: not audited, for the package registry gave none (${silent}).`);
  else if (findings.length === 0) console.log('Dependencies: no known vulnerability.');
  else console.error(`Dependencies with known vulnerabilities:\n${findings.join('\n')}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
