/** Words that only an English sentence has: none of them is one of German or Polish. */
const ENGLISH =
  /(?<![\p{L}_])(?:the|of|and|with|is|are|not|your|from|this|that|they|have|has|been|will|for|which|when|there|it|its|be|must|cannot)(?![\p{L}_])/giu
/** What is the same in every language: values, names of settings, and what is quoted as it stands in a file or a mapping. */
const QUOTED = /\{\{.*?\}\}|\{\w+\}|„[^“”]*[“”]|“[^”]*”|"[^"]*"|<[^>]*>|https?:\S+/g

/** The English words of a text in another language, which somebody forgot to translate. */
export const englishIn = (text: string): string[] => text.replaceAll(QUOTED, '').match(ENGLISH) ?? []
