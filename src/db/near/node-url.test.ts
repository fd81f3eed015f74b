import { expect, test } from 'vitest'
import { nodeUrl } from './node-url.ts'

test.each([
  [
    'postgres://u:p%40ss@one:6543/shop?sslmode=verify-full',
    'worker-1',
    'postgres://u:p%40ss@worker-1:5433/shop?sslmode=verify-full',
  ],
  ['postgres://u@one,two:6543/shop?target_session_attrs=read-write', '10.0.0.7', 'postgres://u@10.0.0.7:5433/shop'],
  ['postgres://u@one/shop', 'fd00::7', 'postgres://u@[fd00::7]:5433/shop'],
  ['postgres://u@localhost/shop?host=/run/postgresql&port=1', 'worker-1', 'postgres://u@worker-1:5433/shop'],
])('a node is reached like the coordinator: %s at %s', (coordinator, host, url) => {
  expect(nodeUrl(coordinator, host, 5433)).toBe(url)
})
