/** Everything an arm can be set to, loaded apart: it stands below the first screen, and the page need not wait for it. */
import { Suspense } from 'react';
import { part } from '../../kit/part';
import '../../model/settings/controls-panel.css';

const ArmSettings = part('The arms’ settings', () => import('./ArmSettings').then((module) => module.ArmSettings));

export function Hyperparameters() {
  return (
    <Suspense fallback={<section className="panel panel-loading" aria-busy="true" aria-label="Hyperparameters" />}>
      <ArmSettings />
    </Suspense>
  );
}
