import { Command, Help } from 'commander'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AccountResource } from '../../contract/account-resource.ts'
import { ACCOUNT_RESOURCES } from '../../contract/account-resources.ts'
import { buildProgram } from '../../src/commands/program.ts'
import { memberOptions } from '../../src/commands/resources/resource-options.ts'
import { RESOURCE_NAMES } from '../../src/commands/resources/resource-names.ts'

// help.txt records names, options and texts of commands. Names and options are public: they may be added, but not changed or removed
// (test/public-names); texts may be improved. Options that are derived from the declarations of account resources are not in it: their
// texts are those of the declarations.

/** The flags of a resource's derived options: those that resource-names.ts does not name. */
function derivedFlags(resource: AccountResource): string[] {
  const { options = {}, more } = RESOURCE_NAMES[resource.path] ?? {}
  const named = Object.values(options).flatMap((names) =>
    typeof names === 'string' ? names : Object.values(names ?? {}),
  )
  const isNamed = (flags: string) => [...named, ...(more?.options ?? [])].some((text) => text.startsWith(`${flags}  `))
  return memberOptions(new Command(), resource, true)
    .options.map(({ flags }) => flags)
    .concat(memberOptions(new Command(), resource, false).options.map(({ flags }) => flags))
    .filter((flags) => !isNamed(flags))
}

const commandName = ({ path, noun }: AccountResource) => RESOURCE_NAMES[path]?.name ?? noun.replaceAll(' ', '-')
const DERIVED = new Map(
  ACCOUNT_RESOURCES.filter(({ path }) => RESOURCE_NAMES[path] !== null).map((resource) => [
    commandName(resource),
    new Set(derivedFlags(resource)),
  ]),
)

function pages(command: Command, path: readonly string[]): string[] {
  const derived = DERIVED.get(path[1] ?? '')
  command.configureHelp({
    // very wide, so that a longer option does not break the texts of others into other lines
    helpWidth: 400,
    visibleOptions: (one) => new Help().visibleOptions(one).filter(({ flags }) => derived?.has(flags) !== true),
  })
  const page = `$ ${[...path, '--help'].join(' ')}\n${command.helpInformation()}`
  return [page, ...command.commands.flatMap((one) => pages(one, [...path, one.name()]))]
}

it('every command has the names, options and texts in help.txt, which `npm run tables` writes', async () => {
  await expect(pages(buildProgram(), ['shelfwire']).join('\n')).toMatchFileSnapshot('help.txt')
})

describe('every account resource has commands', () => {
  const program = buildProgram()
  it.each(ACCOUNT_RESOURCES.filter(({ path }) => RESOURCE_NAMES[path] !== null))('of $path', (resource) => {
    const command = program.commands.find((one) => one.name() === commandName(resource))
    expect(command?.commands.map((one) => one.name())).toEqual(expect.arrayContaining(['list', 'show', 'delete']))
  })
})

/** A call of `shelfwire` in a line of a guide; not the role or database of that name. */
const CALL = /(?:^|npx )shelfwire((?: [a-z][a-z-]*)+)/g

it('every command that a guide names in a sentence is there', () => {
  const root = new URL('../../', import.meta.url)
  const guides = ['README.md', 'SECURITY.md', 'deploy/README.md', 'client/README.md']
  for (const name of readdirSync(new URL('docs/', root))) if (name.endsWith('.md')) guides.push(`docs/${name}`)
  const isThere = (words: readonly string[]): boolean => {
    let at = buildProgram()
    for (const word of words) {
      const next = at.commands.find((one) => one.name() === word)
      // the word is an argument, if the command has no subcommands
      if (next === undefined) return at.commands.length === 0
      at = next
    }
    return true
  }
  const unknown = guides.flatMap((guide) =>
    [...readFileSync(new URL(guide, root), 'utf8').matchAll(/`([^`\n]+)`/g)]
      .flatMap(([, code = '']) => [...code.matchAll(CALL)].map(([, words = '']) => words.trim().split(' ')))
      .filter((words) => !isThere(words))
      .map((words) => `${guide}: shelfwire ${words.join(' ')}`),
  )
  expect(unknown).toEqual([])
})
