import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodePicker } from '../components/code-picker.tsx'
import type { FormState } from '../components/form.tsx'
import { addWords } from '../words/add-words.ts'
import signUpWords from '../words/en/sign-up.json'

addWords({ 'sign-up': signUpWords })

/** The values of a new account. */
export interface NewAccount extends Record<string, string> {
  name: string
  currency: string
  locale: string
}

/** The currencies of countries that browsers commonly report. For other countries the person chooses. */
const CURRENCIES: Readonly<Record<string, string>> = {
  EUR: 'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK',
  CHF: 'CH LI',
  CZK: 'CZ',
  DKK: 'DK',
  GBP: 'GB',
  HUF: 'HU',
  NOK: 'NO',
  PLN: 'PL',
  RON: 'RO',
  SEK: 'SE',
  TRY: 'TR',
  UAH: 'UA',
  USD: 'US',
}

/** Likely values of a new account, by the language of the browser. */
export function likelyAccount(tag = navigator.language): NewAccount {
  // some browsers report a system locale such as `en-US@posix`, which is not a language tag
  const locale = new Intl.Locale(/^[a-z]{2,8}(?:-[a-z\d]{1,8})*/i.exec(tag)?.[0] ?? 'en')
  const country = locale.region ?? locale.maximize().region ?? ''
  const [currency = ''] =
    Object.entries(CURRENCIES).find(([, countries]) => countries.split(' ').includes(country)) ?? []
  return { name: '', currency, locale: locale.baseName }
}

/** The time zone of the browser. */
export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The field of a fault: account and first store have the same name, language and currency. */
export const accountFieldOf = (name: string) => name.replace(/^(?:account|store)\./, '').split(/[.[]/)[0] ?? name

/** The fields of a new account. */
export function AccountFields<V extends NewAccount>({
  form,
  isFirst = false,
}: {
  form: FormState<V>
  isFirst?: boolean
}) {
  const { t } = useTranslation('sign-up')
  const fields = form as unknown as FormState<NewAccount>
  const codeOf = (name: 'currency' | 'locale') => ({
    name,
    value: fields.values[name] ?? '',
    error: fields.fault(name),
    'aria-invalid': fields.fault(name) === undefined ? undefined : (true as const),
    onChange: (code: string) => fields.set({ [name]: name === 'currency' ? code.trim().toUpperCase() : code.trim() }),
  })
  return (
    <>
      <TextInput
        {...fields.text('name')}
        label={t('account.name')}
        description={t('account.nameHint')}
        autoComplete="organization"
        autoFocus={isFirst}
      />
      <CodePicker
        kind="currency"
        {...codeOf('currency')}
        label={t('account.currency')}
        description={t('account.currencyHint')}
      />
      <CodePicker
        kind="language"
        {...codeOf('locale')}
        label={t('account.locale')}
        description={t('account.localeHint')}
      />
    </>
  )
}
