import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'

// Waiting until a page of the panel shows what it has: by what it is still waiting for, not by time.

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

/** The router is where it goes to, nothing says that it is on its way, and windows have come in. */
const IS_SETTLED = `(() => {
  const { status, isLoading } = self.__TSR_ROUTER__?.state ?? {}
  if (status !== 'idle' || isLoading || document.querySelector('h1') === null) return false
  // the page of the components shows what waiting looks like
  if (!location.pathname.endsWith('/components') && document.querySelector('[role=status][aria-label], [aria-busy=true]') !== null) return false
  // how far something is that takes its time moves on by itself
  const coming = document.getAnimations().filter(({ effect }) => effect?.target?.tagName !== 'PROGRESS')
  return coming.every((animation) => animation.playState !== 'running')
})()`

/** Loads a page by its address. */
export async function load(page: Page, url: string): Promise<void> {
  const requests = requestsOf(page)
  // otherwise another part of the same address would only be scrolled to
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

/** Waits until the page shows what it has, seen twice in a row: what has come may ask for more. */
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

/** Waits for a condition in the page. Evaluated from outside: the page's own policy allows no text to be run. */
export async function until(page: Page, condition: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(condition), { timeout: 10_000, interval: POLL_MS, message: condition })
    .toBe(true)
}

/** What makes a page wider than its window: the innermost element without which it is not. */
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
