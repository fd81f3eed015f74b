import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStores, type CatalogStore } from '../../api/catalog.ts'
import { useProductNames } from '../../api/product-names.ts'
import { useRefreshAccount } from '../../api/read.ts'
import { deleteResource, useFormStart } from '../../api/resources.ts'
import { readGroup, saveGroup, ungroup, type GroupRead } from '../../api/variant-groups.ts'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Form, useRevisedForm } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showMessage } from '../../components/messages.tsx'
import { Page, Section } from '../../components/page.tsx'
import { ProductThumbnail } from '../../resources/product-line.tsx'
import { useProductWords } from '../../resources/product-name.tsx'
import { ProductSearch } from '../../resources/product-search.tsx'
import { useAccount } from '../../session/account.ts'
import { addWords } from '../../words/add-words.ts'
import { useFormats } from '../../words/format.ts'
import variantGroupWords from '../../words/en/variant-group.json'
import { bodyOf, draftOf, faultsOf, firstShown, optionsOf, type Draft } from './draft.ts'
import { OptionFields, TitleFields } from './group-fields.tsx'
import { VariantFaults, VariantTable } from './variant-table.tsx'
import classes from './variant-group.module.css'

addWords({ 'variant-group': variantGroupWords })

/** The most products of a group in a body. */
const PRODUCTS_MAX = 1_000

/** A variant group: its title, its options, and its products in their order. */
export function VariantGroupPage() {
  const { t } = useTranslation('variant-group')
  const account = useAccount()
  const { group } = useParams({ from: '/signed/$account/catalog/groups/$group' })
  const id = Number(group)
  const { query: storesQuery, stores } = useStores(account.id)
  const query = useFormStart(account.id, ['variant-group', id], () => readGroup(account.id, id, stores ?? []), {
    isEnabled: stores !== undefined,
  })
  const read = query.data
  const title = read?.shown[0]?.title ?? Object.values(read?.own?.data.title ?? {})[0] ?? t('untitled', { id })
  return (
    <Page
      title={title}
      above={{ to: `/${account.id}/catalog`, label: t('above') }}
      lead={read === undefined ? undefined : t(read.own === null ? 'bySuppliers' : 'byHand')}
      actions={read === undefined ? undefined : <Acts group={read} />}
    >
      <Loaded query={storesQuery} lines={10}>
        {() => (
          <Loaded query={query} lines={10}>
            {(found) => <Editor key={query.dataUpdatedAt} group={found} stores={stores ?? []} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

/** Actions on the group as a whole. */
function Acts({ group }: { group: GroupRead }) {
  const { t } = useTranslation('variant-group')
  const account = useAccount()
  const navigate = useNavigate()
  const refresh = useRefreshAccount()
  const [asked, ask] = useState<'ungroup' | 'follow' | null>(null)
  const leave = async (work: Promise<unknown>) => {
    await work
    await navigate({ to: `/${account.id}/catalog` })
    showMessage(t('ungrouped'))
    await refresh()
  }
  const ids = group.productIds
  return (
    <>
      {group.own === null ? null : (
        <Button variant="default" onClick={() => ask('follow')}>
          {t('follow.action')}
        </Button>
      )}
      {ids.length === 0 ? null : (
        <Button variant="default" onClick={() => ask('ungroup')}>
          {t('ungroup.action')}
        </Button>
      )}
      {asked === null ? null : (
        <Confirm
          title={t(`${asked}.title`)}
          action={t(`${asked}.action`)}
          close={() => ask(null)}
          run={() =>
            leave(
              asked === 'follow'
                ? deleteResource(account.id, 'variant-groups', group.id)
                : (async () => {
                    await ungroup(account.id, ids)
                    if (group.own !== null) await deleteResource(account.id, 'variant-groups', group.id)
                  })(),
            )
          }
        >
          {t(`${asked}.text`)}
        </Confirm>
      )}
    </>
  )
}

function Editor({ group, stores }: { group: GroupRead; stores: readonly CatalogStore[] }) {
  const { t } = useTranslation(['variant-group', 'shared'])
  const account = useAccount()
  const format = useFormats()
  const navigate = useNavigate()
  const refresh = useRefreshAccount()
  const nameOf = useProductWords()
  const [isAdding, setAdding] = useState(false)
  const form = useRevisedForm<GroupRead, Draft, number | null>({
    first: group,
    read: () => readGroup(account.id, group.id, stores),
    valuesOf: draftOf,
    save: (draft, base) => save(account.id, draft, base),
    done(id) {
      showMessage(t('saved'))
      void (async () => {
        if (id === null) await navigate({ to: `/${account.id}/catalog` })
        else if (id !== group.id) await navigate({ to: `/${account.id}/catalog/groups/${id}`, replace: true })
        await refresh()
      })()
    },
    shown: ({ title, options, products }) => [
      [t('title.title'), format.list(Object.values(title))],
      [t('options.title'), format.list(options.map(({ key }) => key))],
      [t('variants.title'), format.list(products.slice(0, 12).map(({ id }) => `#${id}`))],
    ],
  })
  const draft = form.values
  const shown = firstShown(group)
  const named = useProductNames(
    account.id,
    draft.products.map(({ id }) => id),
  )
  const words = (id: number) => {
    const found = named(id)
    return found === undefined ? `#${id}` : nameOf(found, id)
  }
  const pictures = [...new Set(draft.products.flatMap(({ id }) => named(id)?.picture ?? []))]
  const options = optionsOf(draft, shown)
  const locales = [...new Set([...stores.map(({ locale }) => locale), ...Object.keys(draft.title)])]
  return (
    <>
      {pictures.length === 0 ? null : (
        <Section title={t('pictures')}>
          <div className={classes.pictures}>
            {pictures.slice(0, 24).map((picture) => (
              <ProductThumbnail key={picture} picture={picture} size={72} />
            ))}
          </div>
        </Section>
      )}
      <Form form={form} submit={t('save')} isWide>
        <Section title={t('title.title')} note={t('title.note')}>
          <TitleFields
            locales={locales}
            title={draft.title}
            shownIn={(locale) => group.shown.find(({ store }) => store.locale === locale)?.title ?? null}
            change={(title) => form.set({ title })}
          />
        </Section>
        <Section title={t('options.title')} note={t('options.note')}>
          <OptionFields
            locales={locales}
            options={options}
            shown={shown}
            change={(changed) => form.set({ options: changed })}
          />
        </Section>
        <Section
          title={t('variants.title')}
          note={t('variants.note')}
          actions={
            <Button
              variant="default"
              size="compact-sm"
              disabled={draft.products.length >= PRODUCTS_MAX}
              onClick={() => setAdding(true)}
            >
              {t('add.action')}
            </Button>
          }
          isFlush
        >
          <VariantFaults faults={faultsOf(draft, shown)} words={words} />
          <VariantTable
            draft={draft}
            options={options}
            shown={shown}
            known={new Set(group.productIds)}
            named={named}
            words={words}
            change={(changes) => form.set(changes)}
          />
        </Section>
      </Form>
      {isAdding ? (
        <Dialog title={t('add.title')} close={() => setAdding(false)} size={640}>
          <ProductSearch
            label={t('add.search')}
            action={t('add.choose')}
            isLeftOut={(id) => draft.products.some((product) => product.id === id)}
            choose={(id) => form.set({ products: [...draft.products, { id, options: {} }] })}
          />
        </Dialog>
      ) : null}
    </>
  )
}

/** Saves the draft. @returns the ID of the group; null if no product is left in it */
async function save(accountId: number, draft: Draft, base: GroupRead): Promise<number | null> {
  const before = draftOf(base)
  const there = new Set(draft.products.map(({ id }) => id))
  const removed = base.productIds.filter((id) => !there.has(id))
  // if products are only taken out, a supplier's group is not replaced by one made by hand
  const isTakenOver =
    base.own !== null ||
    JSON.stringify(draft) !== JSON.stringify({ ...before, products: before.products.filter(({ id }) => there.has(id)) })
  const id = isTakenOver ? await saveGroup(accountId, base, bodyOf(draft, before)) : base.id
  if (removed.length > 0) await ungroup(accountId, removed)
  return draft.products.length === 0 ? null : id
}
