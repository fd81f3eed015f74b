import { Command, Help } from 'commander'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AccountResource } from '../../contract/account-resource.ts'
import { ACCOUNT_RESOURCES } from '../../contract/account-resources.ts'
import { buildProgram } from '../../src/commands/program.ts'
import { memberOptions } from '../../src/commands/resource-options.ts'
import { RESOURCE_NAMES } from '../../src/commands/resource-names.ts'

// Names, options and texts of commands are public. What changes those that are written out shows in help.txt: additions are written there, nothing in it
// may be changed or removed. Options that are made of the declarations of account resources are not in it: their texts are the declarations', and their names
// are among those of test/public-names.

/** The flags of a resource's options that resource-names.ts does not name. */
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
    // as wide as it gets, so that a longer option beside it does not break a text elsewhere
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

/** `shelfwire` and the words behind it, as guides have it in their lines; not the role or database of that name. */
const CALL = /(?:^|npx )shelfwire((?: [a-z][a-z-]*)+)/g

it('every command that a guide names in a sentence is there', () => {
  const root = new URL('../../', import.meta.url)
  const guides = ['README.md', 'SECURITY.md', 'deploy/README.md', 'client/README.md']
  for (const name of readdirSync(new URL('docs/', root))) if (name.endsWith('.md')) guides.push(`docs/${name}`)
  const isThere = (words: readonly string[]): boolean => {
    let at = buildProgram()
    for (const word of words) {
      const next = at.commands.find((one) => one.name() === word)
      // an argument, where the command takes some
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
