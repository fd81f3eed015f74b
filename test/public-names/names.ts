import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'

// All public names of a source tree, on which users may depend: `node test/public-names/names.ts DIRECTORY` prints those of another
// checkout (with its packages).

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The names of a checkout, sorted: operations with parameters, members and headers; error codes; commands; settings; metrics; webhook headers. */
export async function publicNames(tree: string): Promise<string[]> {
  const load = (path: string) => import(pathToFileURL(join(tree, path)).href) as Promise<Record<string, unknown>>
  const { openApiDocument } = (await load('contract/openapi.ts')) as {
    openApiDocument: (url: string, version: string) => Json
  }
  const { buildProgram } = (await load('src/commands/program.ts')) as { buildProgram: () => Command }
  const { PROBLEMS } = (await load('contract/problems.ts')) as { PROBLEMS: Json }
  const source = await sourceOf(join(tree, 'src'))
  const settingsOf = (file: string) => readFile(join(tree, 'src/platform', file), 'utf8').catch(() => '')
  // releases up to 0.2 have the first path, later ones the next two
  const files = ['settings.ts', 'tracing/settings.ts', 'settings/settings.ts', 'settings/tracing-settings.ts']
  const settings = (await Promise.all(files.map(settingsOf))).join('\n')
  const names = [
    ...ofDocument(openApiDocument('http://shelfwire.invalid', '0')),
    ...Object.keys(PROBLEMS).map((code) => `error code ${code}`),
    ...ofCommand(buildProgram(), 'shelfwire'),
    ...(await ofClient(tree)),
    ...matches(settings, /'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)'/g).map((name) => `setting ${name}`),
    ...matches(source, /'(shelfwire_\w+_(?:seconds|total|bytes|polls|away))'/g).map((name) => `metric ${name}`),
    ...matches(source, /'(X-Service-[A-Za-z-]+)'/g).map((name) => `webhook header ${name}`),
  ]
  return [...new Set(names)].sort()
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name ?? '')

async function sourceOf(directory: string): Promise<string> {
  const files = (await readdir(directory, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
  return (await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')))).join('\n')
}

function ofCommand(command: Command, path: string): string[] {
  const options = command.options
    .flatMap(({ short, long }) => [short, long])
    .filter((flag) => flag !== undefined && flag !== null)
  return [
    `command ${path}`,
    ...options.map((flag) => `command ${path} ${flag}`),
    ...command.registeredArguments.map((argument) => `command ${path} <${argument.name()}>`),
    ...command.commands.flatMap((one) => ofCommand(one, `${path} ${one.name()}`)),
  ]
}

/** The commands of the client's package, which the first releases do not have. */
async function ofClient(tree: string): Promise<string[]> {
  const file = join(tree, 'client/src/command/commands.ts')
  if (!existsSync(file)) return []
  const { COMMANDS } = (await import(pathToFileURL(file).href)) as { COMMANDS: Record<string, { help: string }> }
  return Object.entries(COMMANDS).flatMap(([name, { help }]) => [
    `command shelfwire-client ${name}`,
    ...matches(help, /^ {2}(--[a-z-]+)/gm).map((option) => `command shelfwire-client ${name} ${option}`),
  ])
}

function ofDocument(document: Json): string[] {
  const names: string[] = []
  const resolved = (value: unknown): Json => {
    const one = isObject(value) ? value : {}
    if (typeof one['$ref'] !== 'string') return one
    let found: unknown = document
    for (const step of one['$ref'].slice(2).split('/')) found = isObject(found) ? found[step] : undefined
    return resolved(found)
  }
  /** Adds members at any depth and enumerated values; for a reference to a named schema, only its name. */
  const ofSchema = (schema: unknown, path: string): void => {
    if (!isObject(schema)) return
    const one = schema
    if (typeof one['$ref'] === 'string') names.push(`${path} is ${one['$ref'].split('/').at(-1)}`)
    for (const [member, inner] of Object.entries(isObject(one['properties']) ? one['properties'] : {})) {
      names.push(`${path} .${member}`)
      ofSchema(inner, `${path} .${member}`)
    }
    if (one['const'] !== undefined) names.push(`${path} = ${JSON.stringify(one['const'])}`)
    for (const value of Array.isArray(one['enum']) ? one['enum'] : []) names.push(`${path} = ${JSON.stringify(value)}`)
    if (typeof one['minimum'] === 'number' && typeof one['maximum'] === 'number')
      names.push(`${path} = ${one['minimum']}..${one['maximum']}`)
    for (const inner of ['anyOf', 'oneOf', 'allOf'].flatMap((name) => one[name] ?? [])) ofSchema(inner, path)
    ofSchema(one['items'], path)
    for (const inner of Object.values(isObject(one['patternProperties']) ? one['patternProperties'] : {}))
      ofSchema(inner, `${path} .*`)
    ofSchema(one['additionalProperties'], `${path} .*`)
  }
  const ofContent = (content: unknown, path: string) => {
    for (const [type, { schema }] of Object.entries((content ?? {}) as Record<string, Json>)) {
      names.push(`${path} as ${type}`)
      ofSchema(schema, `${path} as ${type}`)
    }
  }
  for (const [path, methods] of Object.entries(document['paths'] as Record<string, Json>))
    for (const [method, operation] of Object.entries(methods)) {
      if (!isObject(operation)) continue
      const at = `${method.toUpperCase()} ${path}`
      names.push(at, `${at} operation ${String(operation['operationId'])}`)
      for (const one of [
        ...((operation['parameters'] as unknown[] | undefined) ?? []),
        ...((methods['parameters'] as unknown[] | undefined) ?? []),
      ].map(resolved)) {
        names.push(`${at} ${String(one['in'])} ${String(one['name'])}`)
        ofSchema(one['schema'], `${at} ${String(one['in'])} ${String(one['name'])}`)
      }
      ofContent(resolved(operation['requestBody'])['content'], `${at} body`)
      for (const [status, answer] of Object.entries(operation['responses'] as Json)) {
        names.push(`${at} ${status}`)
        // all error answers have the same form
        const answered = Number(status) < 400 ? `${at} ${status}` : 'error'
        for (const header of Object.keys(resolved(answer)['headers'] ?? {})) names.push(`${answered} header ${header}`)
        ofContent(resolved(answer)['content'], answered)
      }
    }
  const components = isObject(document['components']) ? document['components'] : {}
  for (const [name, schema] of Object.entries((components['schemas'] ?? {}) as Json)) ofSchema(schema, `schema ${name}`)
  return names
}

interface Tree {
  [word: string]: Tree
}

const LINE_CHARS_MAX = 120

/**
 * The names as text: a common beginning is written once, with the rest indented below it. Each name ends with a point, and names
 * that are not the beginning of another are on one line.
 */
export function namesText(names: readonly string[]): string {
  const tree: Tree = {}
  for (const name of names) {
    let at = tree
    for (const word of name.split(' ')) at = at[word] ??= {}
    // marks a complete name, not only the beginning of others
    at['.'] = {}
  }
  const lines: string[] = []
  const write = (of: Tree, depth: number) => {
    const indented = ' '.repeat(depth)
    let ends = ''
    const writeEnds = () => {
      if (ends !== '') lines.push(indented + ends)
      ends = ''
    }
    for (const [first, inner] of Object.entries(of)) {
      let [line, below] = [first, inner]
      for (
        let words = Object.entries(below);
        words.length === 1 && words[0] !== undefined;
        words = Object.entries(below)
      )
        [line, below] = [`${line} ${words[0][0]}`, words[0][1]]
      if (Object.keys(below).length > 0) {
        lines.push(indented + line)
        write(below, depth + 1)
      } else {
        if (indented.length + ends.length + 1 + line.length > LINE_CHARS_MAX) writeEnds()
        ends = ends === '' ? line : `${ends} ${line}`
      }
    }
    writeEnds()
  }
  write(tree, 0)
  return `${lines.join('\n')}\n`
}

/** The names in a text that namesText wrote. */
export function namesIn(text: string): string[] {
  const names: string[] = []
  const path: string[] = []
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const depth = line.length - line.trimStart().length
    for (const part of line.trim().split(/(?<=(?:^| )\.) /)) {
      path.splice(depth, path.length, part)
      const name = path.join(' ')
      if (name.endsWith(' .')) names.push(name.slice(0, -2))
    }
  }
  return names
}

if (import.meta.main) console.log(namesText(await publicNames(process.argv[2] ?? '.')).trimEnd())
