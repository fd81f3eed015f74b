/** Whether texts of two locales have the same language and script: `en` and `en-GB` do, `zh-Hans` and `zh-Hant` do not. */
export const isWrittenAlike = (one: string, other: string): boolean => writingOf(one) === writingOf(other)

function writingOf(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script ?? ''}`
  } catch {
    // not a language tag: only equal to itself
    return tag
  }
}
