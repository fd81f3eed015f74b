/** The quotation marks of each language. */
const QUOTES: Readonly<Record<string, readonly [string, string]>> = { de: ['„', '“'], pl: ['„', '”'] }

/** A text in a language's quotation marks, isolated so that its direction does not affect the words around it. */
export function quote(text: string, language: string): string {
  const [open, close] = QUOTES[language] ?? ['“', '”']
  return `${open}\u2068${text}\u2069${close}`
}
