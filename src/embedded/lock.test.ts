import type * as Files from 'node:fs'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdLock, register, usersOf } from './lock.ts'

const unreadable = vi.hoisted(() => ({ path: '' }))

vi.mock('node:fs', async (load) => {
  const real = await load<typeof Files>()
  const read = (path: string, encoding: 'utf8') => {
    if (path === unreadable.path) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' })
    return real.readFileSync(path, encoding)
  }
  return { ...real, readFileSync: read }
})

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'shelfwire-lock-'))
})

afterEach(() => {
  unreadable.path = ''
  rmSync(dir, { recursive: true, force: true })
})

test('a lock is held against a process that cannot see when its holder started', () => {
  const path = join(dir, 'lock')
  const held = holdLock(path)
  unreadable.path = `/proc/${process.pid}/stat`
  expect(holdLock(path)).toBe(undefined)
  held?.[Symbol.dispose]()
})

test('a lock is held although its holder could not see when it started itself', () => {
  const path = join(dir, 'lock')
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: '' }))
  expect(holdLock(path)).toBe(undefined)
})

test('a lock of a process that had the same id is taken over', () => {
  const path = join(dir, 'lock')
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'another boot:1' }))
  using held = holdLock(path)
  expect(held).toBeDefined()
})

test('a user of the server stays registered if its start time cannot be read', () => {
  const users = join(dir, 'users')
  mkdirSync(users)
  const file = register(users, dir, 5_432)
  unreadable.path = `/proc/${process.pid}/stat`
  expect(usersOf(users, dir)).toEqual([{ file, pid: process.pid, port: 5_432 }])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid })
})
