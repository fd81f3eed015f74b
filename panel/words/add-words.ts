import i18next from 'i18next'
import type { English } from './en.ts'

/**
 * Registers the English words of a page or room, which are loaded together with it: the first load contains only words that every page
 * needs. A page calls this for each namespace that it uses; test/panel/words.test.ts finds missing calls.
 */
export function addWords(words: { readonly [N in keyof English]?: English[N] }): void {
  for (const [namespace, texts] of Object.entries(words)) i18next.addResourceBundle('en', namespace, texts)
}
