import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { FaultSentences } from '../../contract/faults/forms.ts'
import { en, type Words } from './en.ts'
import { addFaults } from './faults.ts'
import { addRemarks, type RemarkSentences } from './remarks.ts'

// The panel's languages. English is part of the panel; the others are loaded when they are chosen.

/** Each language by its code, with its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', pl: 'Polski' } as const
export type Language = keyof typeof LANGUAGES

const KEPT_AS = 'shelfwire.language'
interface Spoken {
  words: Words
  remarks: RemarkSentences
  faults: { forms: FaultSentences; sentences: FaultSentences }
}
const LOADED: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Spoken>>> = {
  de: async () => {
    const [{ de }, { remarks }, { forms, sentences }] = await Promise.all([
      import('./de.ts'),
      import('./remarks/de.ts'),
      import('../../contract/faults/de.ts'),
    ])
    return { words: de, remarks, faults: { forms, sentences } }
  },
  pl: async () => {
    const [{ pl }, { remarks }, { forms, sentences }] = await Promise.all([
      import('./pl.ts'),
      import('./remarks/pl.ts'),
      import('../../contract/faults/pl.ts'),
    ])
    return { words: pl, remarks, faults: { forms, sentences } }
  },
}

const isLanguage = (code: string | null | undefined): code is Language =>
  typeof code === 'string' && Object.hasOwn(LANGUAGES, code)

/** The language that was chosen in this browser, otherwise the first of the browser's languages that we have. */
function preferred(): Language {
  const kept = localStorage.getItem(KEPT_AS)
  if (isLanguage(kept)) return kept
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}

/** Loads the words of the preferred language. Await it before rendering. */
export async function startWords(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en },
    defaultNS: 'shared',
    // React already escapes what it renders
    interpolation: { escapeValue: false },
  })
  await speak(preferred())
}

/** Changes the language and keeps the choice in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT_AS, language)
  await speak(language)
}

async function speak(language: Language): Promise<void> {
  if (language !== 'en' && !i18next.hasResourceBundle(language, 'shared')) {
    const { words, remarks, faults } = await LOADED[language]()
    addRemarks(language, remarks)
    addFaults(language, faults.forms, faults.sentences)
    for (const [namespace, texts] of Object.entries(words)) i18next.addResourceBundle(language, namespace, texts)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}
