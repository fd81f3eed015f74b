/** Words that occur only in English: none is a German or Polish word. */
const ENGLISH =
  /(?<![\p{L}_])(?:the|of|and|with|is|are|not|your|from|this|that|they|have|has|been|will|for|which|when|there|it|its|be|must|cannot)(?![\p{L}_])/giu
/** Parts that are the same in every language: values, names of settings, and quotations from files and mappings. */
const QUOTED = /\{\{.*?\}\}|\{\w+\}|„[^“”]*[“”]|“[^”]*”|"[^"]*"|<[^>]*>|https?:\S+/g

/** The English words in a text of another language, which are untranslated. */
export const englishIn = (text: string): string[] => text.replaceAll(QUOTED, '').match(ENGLISH) ?? []
