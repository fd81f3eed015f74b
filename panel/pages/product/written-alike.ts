/** Whether texts of two locales are in the same language and the same script: `en` and `en-GB` are, `zh-Hans` and `zh-Hant` are not. */
export const isWrittenAlike = (one: string, other: string): boolean => writingOf(one) === writingOf(other)

function writingOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script ?? ''}`
  } catch {
    // no language tag: alike only to itself
    return tag
  }
}
