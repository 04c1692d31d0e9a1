// Word of a legal set: 32 tokens as bits. A set is ⌈V/32⌉ words; set 0 is the full vocabulary. Callers read no set for
// rows that are not actions.
fn legalWord(legalSet: u32, word: u32) -> u32 { return legalSets[legalSet * ((params.vocabulary + 31u) / 32u) + word]; }
