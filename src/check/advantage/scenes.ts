/** Scene of a fixture, by the project whose estimator it has. */
import { type Fixture, invalid } from '../format';
import type { AdvantageScene } from './scene';
import { openRlhfScene, primeRlScene, rllmScene, trlScene } from './trainers';
import { gigpoScene, stepReturnsScene } from './turns';
import { verlScene } from './verl';

export function sceneOf(fixture: Fixture): AdvantageScene {
  const { repo, function: name } = fixture.source;
  if (name.startsWith('compute_step_discounted_returns')) return stepReturnsScene(fixture);
  if (name.startsWith('compute_gigpo')) return gigpoScene(fixture);
  if (repo.endsWith('/trl')) return trlScene(fixture);
  if (repo.endsWith('/OpenRLHF')) return openRlhfScene(fixture);
  if (repo.endsWith('/rllm')) return rllmScene(fixture);
  if (repo.endsWith('/prime-rl')) return primeRlScene(fixture);
  if (repo.endsWith('/verl')) return verlScene(fixture);
  throw invalid(`What ${repo} computes is not known (${fixture.name})`);
}
