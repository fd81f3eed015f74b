import process from 'node:process'
import type { Page } from 'playwright-core'

/** Whether pictures of pages are kept. Not in a gate, where nobody looks at the hundreds of pictures that it would take. */
export const HAS_PICTURES = process.env['SHELFWIRE_PICTURES'] === '1'

/**
 * With SHELFWIRE_PICTURES=1 saves a picture of the page in tmp/panel. Otherwise only waits for fonts and a drawn frame, as a
 * picture would, so that a test runs in the same way with and without pictures.
 * @param name the name of the file, without its extension
 */
export async function keepPicture(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (HAS_PICTURES) await page.screenshot({ path: `tmp/panel/${name}.png`, ...options })
  else
    await page.evaluate(
      `document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))`,
    )
}
