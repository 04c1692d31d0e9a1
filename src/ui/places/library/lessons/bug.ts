/** Lesson on masks of other trainers: four episodes, of which three have a mask with a fault. */
import type { MaskLesson, Untitled } from './lesson';

export const bug: Untitled<MaskLesson> = {
  id: 'bug',
  minutes: 5,
  text: [
    'A trainer hands its loss a list of weights, one for each token. Where the list is wrong nothing stops: the loss falls, and days later the agent writes what only its terminal should write, or talks on and never ends a turn.',
    'Below are four episodes of an agent with a terminal, as a trainer would hand them to its loss. On the left stands who wrote the tokens: the chat template, the prompt, the policy (action) or the terminal (observation). Solid tokens learn from the reward, hatched ones learn nothing. Three of the four masks are wrong, each in another way; the first is as it should be.',
    'Press a token to see its weight. What the policy sampled should have one, the end of its turns too: that is how it learns to stop. Nothing else should.',
  ],
  batch: () => import('../../../../../docs/batch/faults.jsonl?raw'),
  question: {
    ask: 'Choose a token whose weight is wrong, and say what is wrong with its mask.',
    choices: [
      { id: 'leak', words: 'tokens that the terminal wrote are trained' },
      { id: 'template', words: 'tokens that the chat template wrote are trained' },
      { id: 'untrained-stop', words: 'the ends of turns are not trained' },
      { id: 'shift', words: 'the mask is shifted by one token' },
    ],
  },
  after: [
    'Each of these has been in a trainer that people used, for weeks. None of them is seen in a loss curve; all of them are seen in one batch, token by token.',
    'The answers were the audit’s of “Your batch”, which reads what verl, TRL and others write. A line of the same audit makes a test of a trainer: lab batch FILE --fail-on leak,shift,untrained-stop.',
  ],
  further: { fragment: '#batch', words: 'a batch of your own trainer, read by the same rules' },
};
