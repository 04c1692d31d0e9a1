/** Commit that a claim's runs are trained at. */
import { execFileSync } from 'node:child_process';
import { LabError } from '../../foundation/errors';

/** Commit of the claim's files. Throws unless it holds them unchanged: a question is written down before its runs. */
export function commitOf(files: readonly string[], folder = '.'): string {
  const git = (...words: string[]): string => {
    try {
      return execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
    } catch (cause) {
      const advice = 'Train in a clone of the lab: the history says what was asked before it was run.';
      throw new LabError('invalid-experiment', 'Git does not tell which commit this is.', advice, { cause });
    }
  };
  if (
    git('ls-files', '--', ...files).split('\n').length !== files.length ||
    git('status', '--porcelain', '--', ...files) !== ''
  ) {
    throw new LabError(
      'invalid-experiment',
      `Not committed as they stand: ${files.join(', ')}.`,
      'Commit them before the runs.',
    );
  }
  return git('rev-parse', '--short=12', 'HEAD');
}
