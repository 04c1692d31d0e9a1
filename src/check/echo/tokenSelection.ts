/**
 * Weights of a conversation's tokens in the world-model loss, where it is a list of messages with roles (prime-rl's rule).
 * Messages after the policy's first one that it did not write have the weight of their role; if a message marks the tokens
 * of its body, only those have it.
 */
export interface MessageNode {
  readonly role: string;
  /** Number of the message's tokens. */
  readonly tokens: number;
  /** True if the policy wrote it. */
  readonly sampled: boolean;
  /** Flag of each token, false for the chat template around the body; if the length differs, all tokens count. */
  readonly isContent: readonly boolean[];
}

/** Weight of each token, all messages in order. */
export function messageTokenWeights(
  nodes: readonly MessageNode[],
  roleWeights: Readonly<Record<string, number>>,
): number[] {
  const firstAnswer = nodes.findIndex(({ sampled }) => sampled);
  return nodes.flatMap(({ role, tokens, sampled, isContent }, i) => {
    const counts = firstAnswer >= 0 && i > firstAnswer && !sampled;
    const weight = counts && Object.hasOwn(roleWeights, role) ? roleWeights[role] : 0;
    const covers = isContent.length === tokens;
    return Array.from({ length: tokens }, (_, k) => (covers && !isContent[k] ? 0 : weight));
  });
}
