import { useQueryClient } from '@tanstack/react-query'
import { ADDITIONAL_MEMBER_NAMES } from '../../../contract/additional-members.ts'
import type { Settings } from '../../api/settings.ts'
import { Facts } from '../../components/facts.tsx'
import { Page, Section } from '../../components/page.tsx'
import { AccountEditor } from '../../resources/editor.tsx'
import type { AnyField } from '../../resources/field.ts'
import { decimal, flag, language, multipleChoice, text, timeZone } from '../../resources/inputs.tsx'
import { useResourceWords, type ResourceWords } from '../../resources/words.ts'

// the SKU pattern and the bank's rates have pages of their own
type Edited = Omit<
  Settings,
  'id' | 'currency' | 'sku_pattern' | 'rates_from' | 'rates_least_change_percent' | 'rates_greatest_change_percent'
>

const specIn = (words: ResourceWords) => ({
  name: 'account' as const,
  required: ['name', 'locale'],
  fixed: [],
  fields: {
    name: text(),
    locale: language(),
    any_locale: flag(),
    time_zone: timeZone(),
    price_jump_factor: decimal(),
    adopt_images: flag(),
    additional_members: multipleChoice(
      ADDITIONAL_MEMBER_NAMES.map((value) => ({
        value,
        label: words.of(`memberNames.${value}`),
        description: `${words.of(`members.${value}`)} (${value})`,
      })),
    ),
  } satisfies { [K in keyof Edited]: AnyField<Edited[K]> },
})

/** The settings of the whole account. */
export function AccountPage() {
  const words = useResourceWords('account')
  const client = useQueryClient()
  return (
    <Page title={words.of('title')} lead={words.of('lead')} width="narrow">
      <Section title={words.of('general')}>
        <AccountEditor
          spec={specIn(words)}
          // the account switch and the panel's times depend on the session, which contains these settings
          saved={() => void client.invalidateQueries({ queryKey: ['session'] })}
          aside={({ id, currency }) => (
            <div style={{ marginTop: 20 }}>
              <Facts
                facts={[
                  [words.of('currency'), currency],
                  [words.of('id'), id],
                ]}
              />
            </div>
          )}
        />
      </Section>
    </Page>
  )
}
