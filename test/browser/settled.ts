import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'

// Waits until a page of the panel is completely shown, by its pending requests and animations, not by time.

const POLL_MS = 25
const TIMEOUT_MS = 15_000

/** Requests of each page that have no answer yet. */
const open = new WeakMap<Page, Set<Request>>()

function requestsOf(page: Page): Set<Request> {
  const known = open.get(page)
  if (known !== undefined) return known
  const requests = new Set<Request>()
  open.set(page, requests)
  page.on('request', (request) => requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  return requests
}

/** A script: whether the router is idle, no element shows that it is loading, and no animation runs. */
const IS_SETTLED = `(() => {
  const { status, isLoading } = self.__TSR_ROUTER__?.state ?? {}
  if (status !== 'idle' || isLoading || document.querySelector('h1') === null) return false
  // the page of the components shows loading states as examples
  if (!location.pathname.endsWith('/components') && document.querySelector('[role=status][aria-label], [aria-busy=true]') !== null) return false
  // a progress bar is animated for as long as its work takes
  const coming = document.getAnimations().filter(({ effect }) => effect?.target?.tagName !== 'PROGRESS')
  return coming.every((animation) => animation.playState !== 'running')
})()`

/** Loads a page by its address. */
export async function load(page: Page, url: string): Promise<void> {
  const requests = requestsOf(page)
  // without this an address that differs only in its fragment would be scrolled to instead of loaded
  await page.goto('about:blank')
  requests.clear()
  await page.goto(url)
  await settled(page)
}

/** Goes to a path as a link does, without loading the panel again. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  const { pathname } = new URL(path, 'http://panel')
  await until(page, `${JSON.stringify(pathname)}.endsWith(self.__TSR_ROUTER__.state.resolvedLocation?.pathname)`)
  await settled(page)
}

/** Waits until the page is settled twice in a row, because loaded data may lead to further requests. */
export async function settled(page: Page): Promise<void> {
  const requests = requestsOf(page)
  const from = performance.now()
  for (let seen = 0; seen < 2;) {
    const isSettled = requests.size === 0 && (await page.evaluate<boolean>(IS_SETTLED))
    seen = isSettled ? seen + 1 : 0
    if (performance.now() - from > TIMEOUT_MS)
      throw new Error(
        `${page.url()} still waits for ${[...requests].map((request) => request.url()).join(', ') || 'what it shows'}`,
      )
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Waits for a condition in the page. Evaluated through the test's protocol, because the page's policy forbids eval. */
export async function until(page: Page, condition: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(condition), { timeout: 10_000, interval: POLL_MS, message: condition })
    .toBe(true)
}

/** The innermost element that makes a page wider than its window, as a text; empty if none does. */
export function beyond(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const root = document.documentElement
    const isCause = (element) => {
      const before = element.style.display
      element.style.display = 'none'
      const fits = root.scrollWidth <= innerWidth
      element.style.display = before
      return fits
    }
    let cause = document.body
    for (let next = cause; next !== undefined; next = [...cause.children].find(isCause)) cause = next
    return cause.outerHTML.slice(0, 300)
  })()`)
}
