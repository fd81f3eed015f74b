import { expect, test } from 'vitest'
import { portTaken } from './postmaster.ts'

test('a port that is taken is reported only if others expect the server at it', () => {
  expect(portTaken(5_432)).toContain('on port 5432, where other processes expect it')
  expect(portTaken(undefined)).toMatch(/took every port that was free .* start again/)
  expect(portTaken(undefined)).not.toContain('undefined')
})
