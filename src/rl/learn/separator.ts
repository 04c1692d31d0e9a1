/**
 * Token between the parts of rows that are no episodes. Word 0 of the lab's worlds is `<pad>`, which no episode has. A
 * language model has `<unk>` or another mark there, or a piece of text (Qwen2 has "!"): then episodes may have that piece too.
 */
export const SEPARATOR = 0;
