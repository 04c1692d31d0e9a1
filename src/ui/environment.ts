/** The environment of an experiment, for its words and reference values; null while its settings contradict each other. */
import { useMemo } from 'react';
import type { Environment } from '../environments/environment';
import { findEnvironment } from '../environments/registry';
import { composeVocabulary } from '../environments/vocabulary';
import type { Experiment } from '../experiment/experiment';

export interface World {
  readonly environment: Environment;
  readonly words: readonly string[];
}

export function useWorld({ id, settings }: Experiment['environment']): World | null {
  return useMemo(() => {
    try {
      const environment = findEnvironment(id)?.create(settings);
      if (environment === undefined) return null;
      return { environment, words: composeVocabulary([environment.words]).words };
    } catch {
      return null;
    }
  }, [id, settings]);
}
