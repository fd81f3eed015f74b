import i18next from 'i18next'

// The service says in English why it refuses a value (src/input). Its most frequent sentences are known here by their form, so that they
// are read in the reader's language, with their values; others stay as they are.

/** Sentences of the service, with the names of their values in braces. Keys are those of `faults` in problems.json. */
export const FAULT_FORMS = {
  required: 'is required',
  duplicated: 'is duplicated',
  empty: 'must not be empty',
  blankEnds: 'must not begin or end with a blank',
  lengthMax: 'must have at most {max} characters',
  length: 'must have {min} to {max} characters',
  wholeBetween: 'must be a whole number from {min} to {max}',
  whole: 'must be a whole number',
  decimal: 'must be a decimal such as "12.50"',
  quantity: 'must be a quantity such as 12, ">10" or "10+"',
  digits: 'must have at most {whole} digits before the decimal point and {fraction} after it',
  digitsWhole: 'must have at most {whole} digits before the decimal point and none after it',
  digitsEan: 'must have at most {max} digits',
  atLeast: 'must be at least {min}',
  atMost: 'must be at most {max}',
  currency: 'must be an ISO 4217 currency code such as EUR',
  locale: 'must be a BCP 47 language tag such as en or pl-PL',
  day: 'must be a day such as 2026-11-30',
  ean: 'must be an EAN of digits, blanks and dashes',
  url: 'must be an absolute http or https URL without blanks',
  slug: 'must be 1 to 63 of a-z, 0-9 and -, not starting or ending with -',
  cells: 'has {cells} columns where the header has {columns}',
  emptyFile: 'the file is empty (0 bytes)',
  htmlPage:
    'line {line}: the file is an HTML page, most likely an error page or a sign-in page of the supplier’s server: check where it comes from',
} as const

/** Sentences that are for operators: the panel says in its own words, also in English, what its reader can do. */
export const EXPLAINED_FORMS = {
  outbound: 'must lead to a public address; other networks must be listed in the setting OUTBOUND_ALLOW',
} as const

const escaped = (text: string) => text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
const PATTERNS = Object.entries({ ...FAULT_FORMS, ...EXPLAINED_FORMS }).map(([key, form]) => ({
  key: key as keyof typeof FAULT_FORMS | keyof typeof EXPLAINED_FORMS,
  pattern: new RegExp(
    `^${escaped(form).replaceAll(/\{(\w+)\}/g, String.raw`(?<$1>-?[\d.]+)`)}(?:, not (?<given>.+?))?(?:; did you mean (?<meant>"[^"]+")\\?)?(?<relative>: set "imageBaseUrl" in the mapping)?(?<beside>: take the number out of it with "capture", or remove words with "replace")?$`,
    's',
  ),
}))

/** Why a value is refused, in the reader's language where the sentence is known. */
export function faultWords(reason: string): string {
  // the key is one of faults in problems.json
  const say = (key: string, values: Record<string, unknown>) =>
    i18next.t(`problems:faults.${key}` as 'problems:faults.required', values)
  for (const { key, pattern } of PATTERNS) {
    const match = pattern.exec(reason)
    if (match === null || !i18next.exists(`problems:faults.${key}`)) continue
    const { given, meant, relative, beside, ...values } = { ...match.groups }
    const sentence = say(key, values)
    const full = given === undefined ? sentence : say('given', { sentence, given })
    if (relative !== undefined) return say('relative', { sentence: full })
    if (beside !== undefined) return say('beside', { sentence: full })
    return meant === undefined ? full : say('meant', { sentence: full, meant })
  }
  return reason
}
