/** All settings of an arm, loaded apart: they are below the first screen, and the page need not wait for them. */
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
