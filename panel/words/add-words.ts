import i18next from 'i18next'
import type { English } from './en.ts'

/**
 * Adds the English words of a page or room, which come with it: the first load has those of every page alone. A page calls this for each
 * namespace that it speaks; test/panel/words.test.ts finds those that it has not.
 */
export function addWords(words: { readonly [N in keyof English]?: English[N] }): void {
  for (const [namespace, texts] of Object.entries(words)) i18next.addResourceBundle('en', namespace, texts)
}
