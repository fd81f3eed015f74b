const CODE_CHARACTERS = 63
/** Letters that are no base letter with an accent. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd' }

/** A code that a name suggests: "Müller & Söhne" is "muller-sohne". Empty where the name has no Latin letter or digit. */
export function codeOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[ßłøæœđ]/g, (letter) => LETTERS[letter] ?? '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, CODE_CHARACTERS)
    .replaceAll(/^-+|-+$/g, '')
}
