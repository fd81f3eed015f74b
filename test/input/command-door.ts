import type { Command } from 'commander'
import { vi } from 'vitest'
import { buildProgram } from '../../src/commands/program.ts'

/** Runs a command in this process with --json. @returns the object it prints. @throws what it refuses with. */
export async function runCommand(databaseUrl: string, args: readonly string[]): Promise<Record<string, unknown>> {
  const program = buildProgram('0')
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
  for (const command of all(program)) command.exitOverride()
  let out = ''
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text)
    return true
  })
  const before = { ...process.env }
  Object.assign(process.env, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' })
  try {
    await program.parseAsync(['node', 'shelfwire', ...args, '--json'])
  } finally {
    written.mockRestore()
    process.env = before
  }
  return JSON.parse(out) as Record<string, unknown>
}
