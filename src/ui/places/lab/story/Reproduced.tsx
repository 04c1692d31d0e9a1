/**
 * Comparison of a finished run with what the link or the file that brought it, or the recording of its preset, said it would give.
 */

import { useEffect, useState } from 'react';
import type { Reproduction } from '../../../../experiment/conclude/result';
import type { Experiment } from '../../../../experiment/experiment';
import { otherNumericsWords } from '../../../../experiment/provenance';
import { type CpuKind, cpuKindOf } from '../../../../foundation/cpuVariants';
import { judge, otherPart } from '../../../../measured/sentResult';
import { Button } from '../../../kit/Button';
import { formatPercent, joinNames } from '../../../kit/format';
import { useLab, useLabParts, useLabState } from '../../../model/useLab';

export function Reproduced() {
  const { sent, running, history, update: count } = useLabParts('sent', 'running', 'history', 'update');
  const lab = useLab();
  const backend = useLabState((state) => state.machines.at(-1)?.backend);
  const [judged, setJudged] = useState<Reproduction | null>(null);
  useEffect(() => {
    let current = true;
    setJudged(null);
    if (sent === null || running === null || history === null || count !== sent.result.updates) return;
    void judge(sent, running, history).then((found) => current && setJudged(found));
    return () => {
      current = false;
    };
  }, [sent, running, history, count]);
  const repeat = (experiment: Experiment, device: CpuKind) =>
    lab.leaving.ask('“Repeat it on the CPU” begins another run.', () => lab.runner.start(experiment, true, device));
  if (judged === null || sent === null) return null;
  const other = judged.outcome === 'exact' ? null : otherPart(sent.result);
  const device = cpuKindOf(sent.result.device);
  const repeats = running !== null && judged.outcome !== 'exact' && device !== null && backend !== device;
  return (
    <>
      <p data-testid="reproduced" data-outcome={judged.outcome}>
        {inWords(judged, WHOSE[sent.from])}{' '}
        <span className="soft">
          The {WHOSE[sent.from]} run: {sent.result.device}. {other !== null && otherNumericsWords(other)}
        </span>
      </p>
      {repeats && (
        <Button className="small" data-testid="repeat-exactly" onClick={() => repeat(running, device)}>
          Repeat it on the CPU, to the bit
        </Button>
      )}
    </>
  );
}

const WHOSE = { link: 'sender’s', file: 'file’s', recording: 'recorded' } as const;

function inWords({ outcome, outside }: Reproduction, whose: string): string {
  switch (outcome) {
    case 'exact':
      return `Reproduced exactly: every success rate, return and cross-entropy is the ${whose} run’s, bit for bit.`;
    case 'altered':
      return `Altered: the digest is this run’s, and the curves beside it are not. Do not trust the ${whose} numbers.`;
    case 'within':
      return `Reproduced within the band: each arm’s mean success lies where 95 of 100 repetitions of the ${whose} run would.`;
    case 'outside': {
      const arms = outside.map(
        ({ name, theirs, ours }) =>
          `${name} has ${formatPercent(ours)} mean success, the ${whose} run ${formatPercent(theirs)}`,
      );
      return `Not reproduced within the band: ${joinNames(arms)}.`;
    }
    case 'unknown':
      return 'Not enough seeds to tell whether it was reproduced: one seed has no band, and the numbers are not the same.';
    default:
      return outcome satisfies never;
  }
}
