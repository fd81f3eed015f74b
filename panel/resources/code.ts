import { baseLetters } from '../words/base-letters.ts'

const CODE_CHARACTERS = 63

/**
 * Suggests a code for a name: "Müller & Söhne" becomes "muller-sohne". Empty if the name has no Latin letter or digit.
 */
export function codeOf(name: string): string {
  return baseLetters(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, CODE_CHARACTERS)
    .replaceAll(/^-+|-+$/g, '')
}
