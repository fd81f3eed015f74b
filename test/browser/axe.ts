import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of axe whose results depend on colours. */
export const COLOUR_RULES = "{ runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }"

/** The violations that axe finds on a page, one line each. axe runs through the test's protocol, so the page's own policy stays in force. */
export async function violations(page: Page, rules = '{}'): Promise<string[]> {
  if (await page.evaluate<boolean>('self.axe === undefined')) await page.evaluate(AXE)
  // content behind a dialog is checked on pages without it; on a phone axe cannot determine colours where a wide table is behind a dialog
  const context = rules === '{}' ? 'document' : "(document.querySelector('[role=dialog][aria-modal=true]') ?? document)"
  // passes are counted in the page, so that only violations are transferred; resultTypes makes axe list one element per passed rule instead of all
  const { found, passed } = await page.evaluate<{ found: AxeResults['violations']; passed: number }>(
    `axe.run(${context}, { resultTypes: ['violations'], iframes: false, preload: false, ...${rules} })
      .then(({ violations, passes }) => ({ found: violations, passed: passes.length }))`,
  )
  // axe has really checked something
  expect(passed, page.url()).toBeGreaterThan(rules === '{}' ? 8 : 0)
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  )
}
