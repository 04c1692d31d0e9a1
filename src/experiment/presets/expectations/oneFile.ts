/** Expectations of worlds in one file. Their texts are questions: what is known of the answers is said where it was measured. */
export const oneFile: Readonly<Record<string, string>> = {
  'world-key-door':
    'Every map comes from a generator and those of the examination have other walls. A random policy succeeds in about ' +
    'one of twenty episodes. Watch success on held-out tasks beside that of training: a map learned by heart helps ' +
    'nobody here.',
  'world-bandit':
    'What an arm pays depends on the sign and on chance, not on what came before. The cross-entropy has an exact ' +
    'floor, at a good arm’s odds 0.5 nats an answer; what is learned by predicting is those odds.',
  'world-frozen-lake':
    'A step slips to one side in a fifth of all cases, so no predictor comes below the floor, which is drawn with the ' +
    'curves and is exact: it is computed from the dice.',
  'world-sokoban':
    'Levels come from a generator, with others held out for the examination; a random policy solves about a third of ' +
    'these easy ones. Nothing is left to chance, so the floor of prediction is 0.',
  'world-mastermind':
    'The floor is exact: the entropy over the codes that are still possible. A table of answers does not get there; ' +
    'whoever comes near the floor infers. A random policy finds the code in under one of a hundred episodes, so both ' +
    'arms begin by imitating.',
  'world-wordle':
    'The words are few, so that the floor, the entropy over the words still possible, can be come near. A guess is one ' +
    'token here; the setting guess has it spelled letter by letter.',
  'world-countdown':
    'An operation is three words put together freely, and a random policy hardly ever gets the form right; so both ' +
    'arms begin by imitating, as they would begin from a language model. Where nobody in a group succeeds an entropy ' +
    'bonus is all there is: watch whether the form is unlearned, and try the bonus at 0.',
  'world-calculator':
    'A call is put together freely, `calc 7 + 5`, and a sum of three numbers takes two of them; a random policy ' +
    'answers one sum in a hundred. Both arms begin by imitating, so the form is known: what is left is which sum to ' +
    'ask for, and when to answer. The calls and the turn they come in are charted. There is no entropy bonus, which is ' +
    'all there is where nobody in a group succeeds: with one of 0.01, watch whether the form is unlearned.',
  'world-sum':
    'Four numbers are given and the last digit of their sum is asked for. Before it answers the policy thinks up to ' +
    'five words that nobody hears. All arms begin by imitating an expert that thinks in running sums; then one learns ' +
    'its thoughts from the reward as it learns its answers, one leaves them alone, and one predicts the world’s ' +
    'answer, too. With the setting thinking at 0 there are no thoughts, and the sum has to be known at once.',
  'world-program':
    'A question, not a claim. A program of up to three words is to compute what three examples show; a random one does ' +
    'in two of a hundred episodes, so all arms begin by imitating. One is paid for all examples alone, one also for ' +
    'the share of them that its best program gets right (partial credit, as by unit tests in CodeRL, arXiv ' +
    '2207.01780), and one predicts what its programs will give.',
  'world-search':
    'Half of the questions need a second search for what the first one found. The corpus is the same in all tasks, so ' +
    'its facts can be learned by heart: then a search is no longer needed, and turns get fewer.',
  'world-customer':
    'What is wanted is hidden and asked for over several turns; the customer may change its mind once. The floor of ' +
    'its answers is exact. pass@k of the examination is how often at least one of k conversations comes to a sale.',
  'world-blackjack':
    'Cards come from an endless deck: the floor is near 2 nats an answer, and no learning brings it down. The best ' +
    'play wins somewhat more than four of ten hands.',
};
