// JSON values as literals of other languages.

interface Language {
  list: readonly [open: string, close: string]
  /** Brackets of an object. */
  map: readonly [open: string, close: string]
  text: (value: string) => string
  key: (name: string) => string
  is: string
  isTrue: string
  isFalse: string
  nothing: string
  indent: string
}

const single = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
const singleLine = (value: string) => single(value).replaceAll('\n', String.raw`\n`)

export const LANGUAGES = {
  javascript: {
    list: ['[', ']'],
    map: ['{', '}'],
    text: singleLine,
    key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : singleLine(name)),
    is: ': ',
    isTrue: 'true',
    isFalse: 'false',
    nothing: 'null',
    indent: '  ',
  },
  python: {
    list: ['[', ']'],
    map: ['{', '}'],
    // Python reads JSON's escapes
    text: (value) => JSON.stringify(value),
    key: (name) => JSON.stringify(name),
    is: ': ',
    isTrue: 'True',
    isFalse: 'False',
    nothing: 'None',
    indent: '    ',
  },
  php: {
    list: ['[', ']'],
    map: ['[', ']'],
    // PHP keeps a line break between single quotes
    text: single,
    key: single,
    is: ' => ',
    isTrue: 'true',
    isFalse: 'false',
    nothing: 'null',
    indent: '    ',
  },
} as const satisfies Record<string, Language>

/** A longer value is split over several lines. */
const LINE_MAX = 60

/** @param depth indentation level of the line on which the literal begins. */
export function literal(value: unknown, name: keyof typeof LANGUAGES, depth = 0): string {
  const language: Language = LANGUAGES[name]
  if (value === null || value === undefined) return language.nothing
  if (typeof value === 'string') return language.text(value)
  if (typeof value === 'boolean') return value ? language.isTrue : language.isFalse
  if (typeof value !== 'object') return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? language.list : language.map
  const at = (level: number) => language.indent.repeat(level)
  const entries = Array.isArray(value)
    ? value.map((each) => literal(each, name, depth + 1))
    : Object.entries(value).map(([key, each]) => `${language.key(key)}${language.is}${literal(each, name, depth + 1)}`)
  // an empty array of PHP would be encoded as a list
  if (entries.length === 0) return name === 'php' && !Array.isArray(value) ? 'new stdClass()' : `${open}${close}`
  const isSpaced = name === 'javascript' && !Array.isArray(value)
  const line = isSpaced ? `${open} ${entries.join(', ')} ${close}` : `${open}${entries.join(', ')}${close}`
  if (line.length <= LINE_MAX && !line.includes('\n')) return line
  return `${open}\n${entries.map((entry) => `${at(depth + 1)}${entry},\n`).join('')}${at(depth)}${close}`
}
