import guide from '../../docs/webhooks.md?raw'

// The functions that verify a delivery are those of docs/webhooks.md, which the project's tests run: there is no second copy.

const LANGUAGES = { js: 'Node.js', python: 'Python', php: 'PHP', go: 'Go' } as const

export interface Verifier {
  language: string
  code: string
}

/** One for each language: the first block of it that defines `verify`. */
export const VERIFIERS: readonly Verifier[] = Object.entries(LANGUAGES).map(([fence, language]) => {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)\\n\`\`\`$`, 'gm'))]
  const code = blocks.map((match) => match[1] ?? '').find((block) => block.includes('verify('))
  if (code === undefined) throw new Error(`docs/webhooks.md has no verifier in ${language}`)
  return { language, code }
})
