import { expect, test } from 'vitest'
import { parseDatabaseUrl } from './database-url.ts'

test.for([
  ['postgres://db/x', { urls: ['postgres://db/x'], accepted: 'any' }],
  [
    'postgres://u:p%40@db:5433/x/?sslmode=verify-full',
    { urls: ['postgres://u:p%40@db:5433/x?sslmode=verify-full'], accepted: 'any' },
  ],
  ['postgres:///x?host=/var/run/postgresql', { urls: ['postgres:///x?host=/var/run/postgresql'], accepted: 'any' }],
  ['postgresql://db/x?target_session_attrs=any', { urls: ['postgresql://db/x'], accepted: 'any' }],
  ['postgres://db/x?target_session_attrs=primary', { urls: ['postgres://db/x'], accepted: 'primary' }],
  [
    'postgres://u:p,q@one:5432,two:5433/x',
    { urls: ['postgres://u:p,q@one:5432/x', 'postgres://u:p,q@two:5433/x'], accepted: 'primary' },
  ],
  [
    'postgres://[::1]:5432,two/x?a=b&target_session_attrs=read-write&c=d',
    { urls: ['postgres://[::1]:5432/x?a=b&c=d', 'postgres://two/x?a=b&c=d'], accepted: 'read-write' },
  ],
] as const)('%s is read', ([text, address]) => {
  expect(parseDatabaseUrl(text)).toEqual(address)
})

test.for([
  ['mysql://root:hunter2@db/x', /postgres:/],
  ['postgres://u:hunter2@one,/x', /before and after each comma/],
  ['postgres://u:hunter2@,/x', /before and after each comma/],
  ['postgres://u:hunter2@one:port,two/x', /HOST:PORT/],
  ['postgres://u:hunter2@one:99999/x', /HOST:PORT/],
  ['postgres://u:hunter2@one,two/x?target_session_attrs=any', /target_session_attrs=primary or read-write/],
  ['postgres://u:hunter2@one/x?target_session_attrs=standby', /target_session_attrs=primary or read-write/],
  ['postgres://u:hunter2@one,two/x?target_session_attrs=prefer-standby', /because Shelfwire writes$/],
] as const)('%s is refused, without repeating its password', ([text, reason]) => {
  expect(parseDatabaseUrl(text)).toMatch(reason)
  expect(parseDatabaseUrl(text)).not.toContain('hunter2')
})
