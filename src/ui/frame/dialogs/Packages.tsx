/** Packages of others in the page: each with its version and licence, read from the notices beside the page. */
import { useState } from 'react';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** Each entry of the notices begins with such a line (scripts/notices.mjs). */
const HEADING = /^(\S+) (\d+\.\d\S*) \((.+)\)$/gm;

export function packagesIn(notices: string): Package[] {
  return Array.from(notices.matchAll(HEADING), ([, name = '', version = '', licence = '']) => ({
    name,
    version,
    licence,
  }));
}

export function Packages() {
  const [packages, setPackages] = useState<readonly Package[] | null>(null);
  const [problem, setProblem] = useState('');
  const load = async () => {
    try {
      const answer = await fetch('THIRD_PARTY.txt');
      if (!answer.ok) throw new Error(answer.statusText);
      setPackages(packagesIn(await answer.text()));
      setProblem('');
    } catch {
      setProblem('The list could not be loaded. Check the connection, and open it again.');
    }
  };
  return (
    <details
      className="small soft"
      data-testid="packages"
      onToggle={({ currentTarget }) => currentTarget.open && packages === null && void load()}
    >
      <summary>Other people’s code in this page</summary>
      {problem !== '' && <p>{problem}</p>}
      {packages !== null && (
        <ul className="bullets">
          {packages.map(({ name, version, licence }) => (
            <li key={name}>
              {name} {version}, {licence}
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href="THIRD_PARTY.txt" target="_blank" rel="noreferrer">
          All their notices
        </a>
      </p>
    </details>
  );
}
