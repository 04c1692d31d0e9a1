/** The two charts of the lab's screen. Those of all other places are in definitions.ts, which the first page has no use for. */
import { type ChartDefinition, chart } from './definition';

export const decisiveCharts: readonly ChartDefinition[] = [
  chart('successRate', 'Success rate', 'of episodes', 'share', 'Share of episodes that reached their goal.', {
    reference: 'randomSuccess',
  }),
  chart(
    'observationCrossEntropy',
    'Prediction error',
    'nats per token',
    'crossEntropy',
    'Cross-entropy of the world’s answers, in nats; lower is better. Only arms with prediction train on it.',
    { reference: 'uniformWords', floor: 'observationFloor' },
  ),
];
