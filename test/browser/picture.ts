import process from 'node:process'
import type { Page } from 'playwright-core'

/** Whether somebody wants to see the pages: nobody looks at what a gate would draw, which took it some hundred pictures of whole pages. */
export const HAS_PICTURES = process.env['SHELFWIRE_PICTURES'] === '1'

/**
 * With SHELFWIRE_PICTURES=1 a picture of the page, in tmp/panel. Without it waits for what a picture would wait for, so that a test passes
 * in the same way with pictures and without: the fonts, and that what has come is drawn.
 * @param name of the file, without its ending
 */
export async function keepPicture(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (HAS_PICTURES) await page.screenshot({ path: `tmp/panel/${name}.png`, ...options })
  else
    await page.evaluate(
      `document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))`,
    )
}
