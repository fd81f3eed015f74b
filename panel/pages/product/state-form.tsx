import { Radio, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CatalogStore } from '../../api/catalog.ts'
import type { Revised } from '../../api/resources.ts'
import type { OwnProduct } from './data.ts'
import classes from './editing.module.css'
import { OwnForm } from './own-form.tsx'

const EVERY = '*'

type Values = {
  /** yes, no, or empty: as the rules say. */
  listing: string
  reason: string
  reasonForAll: string
}

/** Whether the store lists the product, and whether it is excluded, by hand. */
export function StateForm({
  store,
  read,
  close,
}: {
  store: CatalogStore

  read: Revised<OwnProduct>
  close: () => void
}) {
  const { t } = useTranslation(['product-edit', 'shared'])
  const { slug, name } = store
  const initial = (own: OwnProduct): Values => {
    const listed = own.listings?.[slug] ?? null
    return {
      listing: listed === null ? '' : listed ? 'yes' : 'no',
      reason: own.exclusions?.[slug] ?? '',
      reasonForAll: own.exclusions?.[EVERY] ?? '',
    }
  }
  const reasonOf = (text: string) => (text.trim() === '' ? null : text.trim())
  const bodyOf = (values: Values) => ({
    listings: { [slug]: values.listing === '' ? null : values.listing === 'yes' },
    exclusions: { [slug]: reasonOf(values.reason), [EVERY]: reasonOf(values.reasonForAll) },
  })
  const listingName = (value: string) =>
    t(value === '' ? 'state.byRules' : value === 'yes' ? 'state.always' : 'state.never')
  return (
    <OwnForm<Values>
      title={t('state.title')}
      read={read}
      close={close}
      initial={initial}
      body={bodyOf}
      back={(_, own) => bodyOf(initial(own))}
      reset={(own) => {
        const now = initial(own)
        const isSet = now.listing !== '' || now.reason !== '' || now.reasonForAll !== ''
        return isSet ? bodyOf({ listing: '', reason: '', reasonForAll: '' }) : null
      }}
      said={{ saved: t('state.saved', { store: name }), reset: t('state.reset') }}
      verbs={{ save: t('shared:save'), reset: t('state.byRulesAgain') }}
      fieldOf={(fault) => {
        if (fault.startsWith('listings')) return 'listing'
        return fault === `exclusions.${EVERY}` ? 'reasonForAll' : 'reason'
      }}
      differences={(theirs, mine) =>
        [
          { name: t('state.listing'), theirs: listingName(theirs.listing), mine: listingName(mine.listing) },
          { name: t('state.reason', { store: name }), theirs: theirs.reason, mine: mine.reason },
          { name: t('state.reasonForAll'), theirs: theirs.reasonForAll, mine: mine.reasonForAll },
        ].filter((row) => row.theirs !== row.mine)
      }
    >
      {(form) => (
        <>
          <Radio.Group
            label={t('state.listing')}
            value={form.values.listing}
            onChange={(listing) => form.set({ listing })}
            error={form.fault('listing')}
          >
            <div className={classes.radios}>
              {['', 'yes', 'no'].map((value) => (
                <Radio key={value} value={value} label={listingName(value)} />
              ))}
            </div>
          </Radio.Group>
          <TextInput
            {...form.text('reason')}
            label={t('state.reason', { store: name })}
            description={t('state.reasonNote')}
            autoComplete="off"
          />
          <TextInput {...form.text('reasonForAll')} label={t('state.reasonForAll')} autoComplete="off" />
        </>
      )}
    </OwnForm>
  )
}
