import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const MODULE = fileURLToPath(new URL('priority.ts', import.meta.url))

/** If the tests themselves run with a lower priority, an unprivileged user cannot raise it. */
const FROM = Math.max(getPriority(), 15)

/** The priority of a process that started with one and then lowered it to another. */
function lowered(from: number, to: number): number {
  const program = `
    import { getPriority, setPriority } from 'node:os'
    import { lowerPriority } from ${JSON.stringify(MODULE)}
    setPriority(${from})
    lowerPriority(${to})
    console.log(getPriority())`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}

describe.skipIf(process.platform === 'win32')('the priority of processes that read files and pictures', () => {
  it('is lowered', () => {
    expect(lowered(FROM, 19)).toBe(19)
  })

  it('stays as it is if that of the service is lower already: an unprivileged user may not raise it', () => {
    expect(lowered(FROM, 10)).toBe(FROM)
  })
})
