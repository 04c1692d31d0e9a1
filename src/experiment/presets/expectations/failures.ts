/** Expectations of training that fails, of masks that real trainers got wrong, and of masks written as a loss. */
export const failures: Readonly<Record<string, string>> = {
  'failure-mask-leak':
    'Four seeds of 150 updates: without a mask observation cross-entropy passes three times that of guessing (3 ln V) ' +
    'after about 100 updates and ends at 4.8 to 5.2 times, because what the world truly said in a bad episode is made ' +
    'less likely, without end; with the mask it stays at 1.0. Success says little so early: 10% to 14% against 14% to ' +
    '52%. The curve of the observations gives the mistake away long before.',
  'failure-reward-hacking':
    'Both arms begin by imitating an agent that asks its tool, and solve 34% to 52% of the questions. Four seeds of ' +
    '120 updates: where every action beyond the first costs 2, the agent stops asking within ten updates, since a ' +
    'guess pays more than an answer at that price; return rises by 0.9 to 1.2 and success falls to 6% to 11%. Where ' +
    'calls are free success reaches 94% to 96%. From its return alone the first arm looks as if it were learning.',
  'failure-length':
    'The tool is out of order, so a call gains nothing, and both arms are paid the same bonus. Four seeds of 120 ' +
    'updates: divided, turns grow from 1.05 to 4, which is all there are, an episode has 1.9 to 2.0 times its tokens, ' +
    'and success stays at 5% to 6%; undivided, turns stay at 1.05 and success reaches 9% to 10%. In a group that all ' +
    'fails only lengths differ, and dividing by so small a deviation makes a thousandth as large as a success.',
  'failure-missing-tools':
    'A line without the form of a command is answered by a warning and costs a turn. Four seeds of 100 updates: an ' +
    'untrained policy sends 64% to 67% of such lines; paid for the outcome alone it still sends 29% to 51%, with a ' +
    'tenth of a success for form 1%. Success is 57% to 59% and 58% to 61%: with turns to spare, lines that do nothing ' +
    'cost little, and so little tells against them. Both arms begin with the light on.',
  'failure-loops':
    'Four seeds of 120 updates: where foreseeing is paid, 52% to 59% of the turns repeat what was done after the same ' +
    'observation, and success falls from 20% to between 10% and 15%, since nothing is as sure as the wall; with a ' +
    'charge of 0.05 for each repetition 6% to 7% repeat and success is 36% to 45%. The light goes on after 100 to 120 ' +
    'updates, once the policy predicts well enough to prefer what it can predict. Trained on, the first arm also loses ' +
    'its entropy: in a corner nothing is left to decide.',
  'failure-no-variance':
    'The goal is at least 12 steps away and there are 14 turns. Four seeds of 120 updates: paid for the outcome alone, ' +
    '99% of the groups and more are silent to the end and hardly one episode in 2,500 arrives; with a fifth of a ' +
    'success for the whole way, 1% to 3% of the unsolved groups are silent and 67% to 72% of the episodes succeed. ' +
    'Progress tells failures apart; predicting observations would not, since the gradient of the reward stays 0.',
  'failure-entropy-collapse':
    'Sums of numbers up to 4, without a tool. Four seeds of 120 updates: with long steps entropy falls to between 0% ' +
    'and 11% of what it began with (one seed in four ends just short of the criterion) and success, after a peak of ' +
    '33% to 58%, ends at 26% to 44%; with steps a tenth as long entropy keeps 28% to 39% and success ends at 71% to ' +
    '84%, still rising. What is no longer sampled is never rewarded.',
  'template-collapse':
    'Behaviour is measured at every tenth update: how much it tells of its task, at most 2.1 nats here, and how much ' +
    'it varies where the task is the same. Would a bonus twice as strong, or a rarer reward, make it collapse? Nothing ' +
    'was searched, and nothing is recorded.',
  'mask-bug-kl':
    'A KL loss without its mask was found in Search-R1 (#21) and slime (#1372). Eight seeds of 150 updates, as ' +
    'measured over the last 20: with the KL on actions alone cross-entropy on observations ended at 0.68 nats, with ' +
    'the same weight on observations too at 1.54, because the reference knows nothing of the world: +0.86 (95% ' +
    'interval +0.78 to +0.94). Success does not tell them apart: 23% and 25%.',
  'mask-bug-inverted':
    'A mask turned round was found in RAGEN (#71). Eight seeds of 150 updates, as measured over the last 20: ' +
    'cross-entropy on observations ended at 19.79 nats, at 3.93 with the mask as it was meant, because what the world ' +
    'said in a bad episode is made less likely, and nothing in the loss bounds it. Success ended at 10%, where random ' +
    'moves are, and at 29% with the mask as it was meant.',
  'mask-in-ratio':
    'A question about two ways to write one mask. By their derivatives they are the same on every token, so the two ' +
    'curves of success should lie on one another; what is logged is not, since the ratio of an observation is 1 on one ' +
    'side, and on the other whatever the policy has come to think of it. Look at clip_fraction and mean_ratio under ' +
    'Training. Both means also count observations, so both arms learn more slowly than one whose mask leaves them out ' +
    'of the mean.',
  'void-turns':
    'A question, not a claim: nothing was measured yet. SimpleTIR (arXiv 2509.02479) drops whole trajectories in which ' +
    'a turn neither acts nor answers, against gradients that grow without bound. Here a call is put together freely, ' +
    'and a malformed one is such a turn. Advantages are still those of the whole group, the dropped ones included, as ' +
    'in the authors’ code. Watch warned turns and the gradient’s norm, and kept_tokens for how much is left.',
};
