/** Letters that Unicode does not decompose into a base letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd' }

/** A text in lower case without accents: "Łódź & Söhne" becomes "lodz & sohne". */
export const baseLetters = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłøæœđ]/g, (letter) => LETTERS[letter] ?? letter)
