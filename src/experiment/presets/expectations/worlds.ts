/** Expectations of the question itself, asked in the lab’s worlds. */
export const worlds: Readonly<Record<string, string>> = {
  'calculator-searched':
    'A search over 24 settings picked these for the mask; the world model has them too, and λ. On eight fresh seeds ' +
    'the area under the success curve was 0.76 with prediction and 0.62 without, +0.14 (95% interval +0.12 to +0.16). ' +
    'That is on practised questions. At the same settings, which both searches picked, 16 further seeds tell that new ' +
    'questions depend on the tool: while it works the world model answers fewer (0.84 against 0.97), when it is taken ' +
    'away more (0.36 against 0.14), and when it lies the world model gives its answer less often (0.49 against 0.84) ' +
    'but seldom the right one (0.08). What the tool says is the answer that is rewarded, so predicting it is being ' +
    'shown the answers to the training questions. Both arms begin as imitators of an agent that asks the tool. One ' +
    'small world: nothing is said of others.',
  'gridworld-searched':
    'A search over 24 settings picked these for the mask, whose area on 16 fresh seeds was 0.31, less than in its ' +
    'search: the best of many looks better than it is, and other settings may suit it better. The world model has them ' +
    'too, and λ. On eight of these seeds the area was 0.62 with prediction and 0.38 without, +0.24 (95% interval +0.05 ' +
    'to +0.42). One small world: nothing is said of others.',
  gridworld:
    'Cell names say nothing about where they lie, and a random walk finds the goal in about one episode in ten. In the ' +
    'recorded run of four seeds the area under the success curve was 0.63 (0.57 to 0.66) for the world model, 0.24 ' +
    '(0.20 to 0.30) for the action mask and 0.22 (0.13 to 0.33) without a mask, where cross-entropy on observations ' +
    'rose from 3.95 to 89.7 nats. Seeds differ a lot: look at the bands, not at one pair of curves. Nothing was ' +
    'searched here; what is left of the gap when both arms are given the same search stands under “How sure”.',
  'gridworld-small':
    'About two minutes on two processor cores. Three seeds of this experiment gave an area under the success curve of ' +
    '0.61 (0.57 to 0.64) for the world model and 0.19 (0.15 to 0.22) for the action mask. The weights begin a little ' +
    'larger than in the whole experiment, as narrower layers need. What to conclude is the same, and no more.',
  'gridworld-tiny':
    'A 4×4 grid, a policy of a few thousand parameters, two seeds and 20 updates of 8 episodes finish in moments on ' +
    'any device. Nothing about the arms can be concluded from it.',
  'calculator-without-tool':
    'Both arms begin by imitating an agent that asks the tool, copies its result, and guesses when it is down, which ' +
    'it is in half of the episodes. At half this width and length and an ordinary start, eight seeds of each arm: with ' +
    'the tool taken away the world model ended at 8% of the questions it trained on and at 4% of others, the action ' +
    'mask at 7% and 3%; alike, within ±0.05. Whether this longer run of wider policies tells them apart is not ' +
    'recorded. The questions are few and all of them are trained on, and nothing was searched. Nothing is claimed of ' +
    'agents that do not begin as imitators.',
  shop:
    'Forty products, and a purchase is paid only when type, colour and price are all right, which a random buyer gets ' +
    'in about one episode in 350. In the recorded run of four seeds the area under the success curve was 0.49 (0.44 to ' +
    '0.55) for the world model and 0.20 (0.15 to 0.27) for the action mask, under which cross-entropy on observations ' +
    'rose from 4.17 to 6.29 nats: reward alone made an ever worse predictor of the shop. The catalogue is the same in ' +
    'training and in every run; nothing is claimed of other shops. At settings that were searched for the mask no gain ' +
    'is told apart: 0.53 against 0.50, eight seeds.',
  'shop-pages':
    'A question, not a claim: nothing was measured yet. Results are ranked and stand on several pages, a product has ' +
    'to be opened and its features read; a random buyer gets what was asked for in about one episode of 28. The ' +
    'catalogue stays the same.',
  terminal:
    'Two files with a few words each; those with a given word have to be deleted, so they must be looked at first. ' +
    'Sixteen seeds of each arm, each at the settings of its own search: area under the success curve 0.54 for the ' +
    'world model and 0.56 for the action mask, −0.02 (95% interval −0.05 to +0.01). What a file holds is chance to ' +
    'anyone: the cross-entropy’s floor is what is left of it. The settings here were found by hand, and nothing is ' +
    'recorded at them.',
  mixture:
    'The gridworld, the calculator and the web shop, about eight tasks of each an update. One success rate for all ' +
    'hides what the charts of each world show. Nothing was searched, nothing is recorded, and nothing can be concluded ' +
    'on what one world teaches for another: none is trained alone beside this.',
  listener:
    'The policies begin as stories260K, which was trained on stories for children, and are paid for sentences that ' +
    'hold what Tom asked about. Read what they write. In eight seeds of 40 updates each arm learned to say the noun ' +
    'and forgot ordinary stories: their cross-entropy was 1.81 nats before and 3.96 with the mask. The mask repeats ' +
    'its words; with prediction many sentences begin as Tom’s do, in some seeds nearly all. A KL penalty keeps more ' +
    'English (2.46 nats) and is paid less (0.74 of sentences, against 0.94). That everything falls apart without a ' +
    'mask was not shown. Things that are held out are hardly taken up.',
  'world-words':
    'A question, not a claim: nothing was recorded yet. Three of twenty words are given and the policy goes on from ' +
    '“Once upon a time”; paid is the share of them that its story holds as whole words. It was never taught to follow ' +
    'instructions, so what can be learned is to copy what stands before the story. Read whether it lists them or tells ' +
    'something. The answer names the words that are missing, and one arm predicts it.',
  'english-calculator':
    'A question, not a claim: it was run with one seed, and nothing is recorded. The prompt asks for a sum, an action is a line, CALC ' +
    'asks the tool, and the number that it tells is the answer. A model of stories hardly ever writes such a line, so both arms begin by ' +
    'imitating a script; one learns what it writes, the other also what the tool tells. What is imitated is measured on the way, before ' +
    'update 0. By then both ask, and often copy the number wrong. Then the reward alone teaches: in that seed success rose from a half ' +
    'to two thirds, and from a quarter to a third where answers were shown, too. Begun from half as much imitation nothing rose in 20 ' +
    'updates: where a group’s answers are all the same wrong number, their rewards tell nothing. Ordinary stories are forgotten by the ' +
    'imitation alone. Taken away, the tool shows whether the sums were learned or the asking: it was the asking.',
  'shop-fresh':
    'Every task has a catalogue of its own, of 24 products, so that nothing seen carries over. How a shop answers can ' +
    'be learned, what stands on its shelves cannot: that part of the cross-entropy is chance to anyone. A null is ' +
    'expected; it is asked under Findings.',
  'scrambled-controls':
    'A 5×5 grid told by coordinates; in half of the episodes, unannounced, every move goes the opposite way. One step ' +
    'tells which way the controls are: what has to be learned is to look. Nothing was searched, and nothing is ' +
    'recorded.',
  'permuted-controls':
    'A 5×5 grid told by coordinates; every episode has an order of the four moves of its own, unannounced. Over ' +
    'episodes one can learn what cells there are and which lie beside one another; which key goes where today has to ' +
    'be found out within ten moves. A null is expected, and nothing is recorded.',
  'noisy-tv':
    'Every cell is named together with two of sixteen symbols drawn by chance, which cost any model 1.85 nats a token: ' +
    'the floor, a thin line. A question, not a claim: the weights begin small here, and nothing was searched. Under ' +
    'Findings it is asked at this start and at an ordinary one.',
};
