/** The quotation marks of each language. */
const QUOTES: Readonly<Record<string, readonly [string, string]>> = { de: ['„', '“'], pl: ['„', '”'] }

/** A text in the quotation marks of a language; its direction changes nothing of the words around it. */
export function quote(text: string, language: string): string {
  const [open, close] = QUOTES[language] ?? ['“', '”']
  return `${open}\u2068${text}\u2069${close}`
}
