import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The project's folder, which is the context of the build. */
export const CONTEXT = fileURLToPath(new URL('../..', import.meta.url))

interface Instruction {
  keyword: string
  /** The rest of the instruction, with continued lines joined. */
  text: string
}

/** A stage of a build: its base image, its name and its steps. */
export interface Stage {
  base: string
  name: string
  steps: Instruction[]
}

/** The stages of a Dockerfile without escapes and here-documents. */
export function stagesOf(file: string): Stage[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
  const stages: Stage[] = []
  for (const line of lines.join('\n').replaceAll(/\\\n/g, '').split('\n')) {
    const [, keyword = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (keyword === '') throw new Error(`not an instruction: ${line}`)
    if (keyword === 'FROM') {
      const [base = '', , name = ''] = text.split(/\s+/)
      stages.push({ base, name, steps: [] })
    } else stages.at(-1)?.steps.push({ keyword, text })
  }
  return stages
}

/** The texts of all steps with a keyword. */
export const textsOf = (stage: Stage, keyword: string): string[] =>
  stage.steps.filter((step) => step.keyword === keyword).map(({ text }) => text)

/** The names and values of all ENV or ARG steps. */
export function pairsOf(stage: Stage, keyword: 'ENV' | 'ARG'): Record<string, string> {
  const pairs = textsOf(stage, keyword).flatMap((text) => [...text.matchAll(/(\w+)=(\S+)/g)])
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}
