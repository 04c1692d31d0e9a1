/**
 * Which tokens of a conversation the world-model loss is taken over, and with what weight, where the conversation is a
 * list of messages with roles (prime-rl's rule): messages that the policy did not write, from its first answer on, weigh
 * what their role does; where a message says which of its tokens are its body, only those.
 */
export interface MessageNode {
  readonly role: string;
  /** Its tokens. */
  readonly tokens: number;
  /** The policy wrote it. */
  readonly sampled: boolean;
  /** One flag a token, false for what the chat template put around the body; another length: all tokens count. */
  readonly isContent: readonly boolean[];
}

/** One weight a token. */
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
