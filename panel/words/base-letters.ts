/** Letters that are no base letter with an accent. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd' }

/** A text without case and accents: "Łódź & Söhne" is "lodz & sohne". */
export const baseLetters = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłøæœđ]/g, (letter) => LETTERS[letter] ?? letter)
