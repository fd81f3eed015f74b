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
  const { violations: found, passes } = await page.evaluate<AxeResults>(
    `axe.run(${context}, { resultTypes: ['violations', 'passes'], iframes: false, preload: false, ...${rules} })`,
  )
  // it has looked at something
  expect(passes.length, page.url()).toBeGreaterThan(rules === '{}' ? 8 : 0)
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  )
}
