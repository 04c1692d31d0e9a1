/** Everything an arm can be set to, loaded apart: it stands below the first screen, and the page need not wait for it. */
import { lazy, Suspense } from 'react';
import './controls-panel.css';

const ArmSettings = lazy(async () => ({ default: (await import('./ArmSettings')).ArmSettings }));

export function Hyperparameters() {
  return (
    <Suspense fallback={<section className="panel panel-loading" aria-busy="true" aria-label="Hyperparameters" />}>
      <ArmSettings />
    </Suspense>
  );
}
