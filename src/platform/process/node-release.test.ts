import { expect, it } from 'vitest'
import { isEarlierInReleaseLine } from './node-release.ts'
import { testedNodeVersion } from './package.ts'

it.each([
  ['v24.0.0', true],
  ['24.20.9', true],
  ['24.21.0', false],
  ['v24.21.1', false],
  ['24.100.0', false],
  ['26.0.0', false],
])('%s is an earlier release of the line of 24.21.0: %s', (running, is) => {
  expect(isEarlierInReleaseLine(running, '24.21.0')).toBe(is)
})

it('the Node of this release is the one that it brings', () => {
  expect(testedNodeVersion()).toMatch(/^24\.\d+\.\d+$/)
})
