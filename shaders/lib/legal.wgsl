// 32 tokens of a legal set as bits; a set is ⌈V/32⌉ words, set 0 is the full vocabulary. Rows that are not actions see
// all.
fn legalWord(legalSet: u32, word: u32) -> u32 { return legalSets[legalSet * ((params.vocabulary + 31u) / 32u) + word]; }
