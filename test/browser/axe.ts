import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Of what axe looks at, what colours change. */
export const COLOUR_RULES = "{ runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }"

/** What axe finds on a page, in short. It is run by the test's protocol: the page's own policy stays as it is. */
export async function violations(page: Page, rules = '{}'): Promise<string[]> {
  if (await page.evaluate<boolean>('self.axe === undefined')) await page.evaluate(AXE)
  // what a window covers is looked at on pages without it; on a phone axe gives up colours where a wide table is behind one
  const context = rules === '{}' ? 'document' : "(document.querySelector('[role=dialog][aria-modal=true]') ?? document)"
  // what passes is counted in the page: with resultTypes axe names one element of each rule, and not all of a table, and nothing else is handed over
  const { found, passed } = await page.evaluate<{ found: AxeResults['violations']; passed: number }>(
    `axe.run(${context}, { resultTypes: ['violations'], iframes: false, preload: false, ...${rules} })
      .then(({ violations, passes }) => ({ found: violations, passed: passes.length }))`,
  )
  // it has looked at something
  expect(passed, page.url()).toBeGreaterThan(rules === '{}' ? 8 : 0)
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  )
}
