import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_RESOURCES } from '../../contract/account-resources.ts'
import { buildProgram } from '../../src/commands/program.ts'
import { RESOURCE_NAMES } from '../../src/commands/resource-names.ts'

// Names, options and texts of commands are public and derived from declarations: what changes them shows in help.txt.
// Additions are written there; nothing in it may be changed or removed.

function pages(command: Command, path: readonly string[]): string[] {
  // as wide as it gets, so that a longer option beside it does not break a text elsewhere
  const help = command.configureHelp({ helpWidth: 400 }).helpInformation()
  const page = `$ ${[...path, '--help'].join(' ')}\n${help}`
  return [page, ...command.commands.flatMap((one) => pages(one, [...path, one.name()]))]
}

it('every command has the names, options and texts in help.txt, which `npm run tables` writes', async () => {
  await expect(pages(buildProgram(), ['shelfwire']).join('\n')).toMatchFileSnapshot('help.txt')
})

describe('every account resource has commands', () => {
  const program = buildProgram()
  it.each(ACCOUNT_RESOURCES.filter(({ path }) => RESOURCE_NAMES[path] !== null))('of $path', (resource) => {
    const name = RESOURCE_NAMES[resource.path]?.name ?? resource.noun.replaceAll(' ', '-')
    const command = program.commands.find((one) => one.name() === name)
    expect(command?.commands.map((one) => one.name())).toEqual(expect.arrayContaining(['list', 'show', 'delete']))
  })
})
