/** A kernel's WGSL with line numbers: the file, or what the device compiles. The code scrolls inside its box. */

import { memo, useState } from 'react';
import type { KernelText } from '../../../../train/kernels/report';
import { Button } from '../../../kit/Button';
import { CopyButton, copied } from '../../../kit/Fields';
import { piecesOf } from './wgsl';
import './source.css';

export function Source({ kernel }: { kernel: KernelText }) {
  const [whole, setWhole] = useState(false);
  const text = whole ? kernel.code : kernel.file;
  const sizes = Object.entries(kernel.sizes).map(([name, value]) => `${name} = ${value}`);
  return (
    <section className="kernel-part shrinks ruled" aria-labelledby="kernel-source">
      <div className="row tall">
        <h3 id="kernel-source">WGSL</h3>
        <fieldset className="row near" aria-label="Which text">
          <ViewButton chosen={!whole} onChoose={() => setWhole(false)}>
            shaders/{kernel.name}.wgsl
          </ViewButton>
          <ViewButton chosen={whole} onChoose={() => setWhole(true)} testId="kernel-code">
            As compiled
          </ViewButton>
        </fieldset>
        <CopyButton className="button-quiet small" onCopy={() => copied('The code', text)}>
          Copy
        </CopyButton>
      </div>
      <p className="small soft measure above-4">
        {whole
          ? `Includes in their places${sizes.length > 0 ? `, repeated lines written out, for ${sizes.join(' and ')}` : ''}.`
          : 'As it stands in the repository; what it includes stands in other files.'}
      </p>
      <Code text={text} label={`WGSL of ${kernel.name}`} />
    </section>
  );
}

function ViewButton({
  chosen,
  onChoose,
  testId,
  children,
}: {
  chosen: boolean;
  onChoose: () => void;
  testId?: string;
  children: React.ReactNode;
}) {
  return (
    <Button className="small hand" aria-pressed={chosen} data-testid={testId} onClick={onChoose}>
      {children}
    </Button>
  );
}

const Code = memo(function Code({ text, label }: { text: string; label: string }) {
  const lines = text.replace(/\n+$/, '').split('\n');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard.
    <section className="kernel-code edged raised" aria-label={label} tabIndex={0} data-testid="kernel-wgsl">
      <pre style={{ '--digits': String(lines.length).length } as React.CSSProperties}>
        {lines.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
          <span className="kernel-line block" key={i}>
            {piecesOf(line).map(({ kind, text: piece }, k) =>
              kind === 'plain' ? (
                piece
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name.
                <span className={`wgsl-${kind}`} key={k}>
                  {piece}
                </span>
              ),
            )}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  );
});
